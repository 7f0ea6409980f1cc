package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.inbox.Handled;
import dev.semel.transport.Message;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some messages in one transaction: their ids are recorded together, then the new ones are handled
 * in order. What failed has its id taken out again. The transaction may run more than once, each
 * time from the start.
 */
final class InboxAttempt {
  private final InboxEngine engine;
  private final String consumer;
  private final HandlerCall call;

  /** Ordering keys that wait for a message of before. */
  private final Set<String> heldBefore;

  private InboxIds.@Nullable Mark mark;

  /** Recorded in this transaction, and not yet looked at. */
  private Set<String> unhandled = Set.of();

  InboxAttempt(
      InboxEngine engine, String consumer, MessageHandler<?> handler, Set<String> heldBefore) {
    this.engine = engine;
    this.consumer = consumer;
    this.call = new HandlerCall(engine, handler);
    this.heldBefore = heldBefore;
  }

  List<Handled> run(Statements db, List<Message> messages) throws SQLException {
    call.begin();
    InboxIds.Mark drawn = engine.mark(consumer, InboxIds.DONE);
    mark = drawn;
    unhandled = engine.ids().record(db, drawn, messages.stream().map(Message::id).toList());
    Set<String> undone = new HashSet<>();
    Set<String> held = new HashSet<>(heldBefore);
    List<Handled> outcomes = new ArrayList<>();
    for (Message message : messages) {
      Handled outcome = outcome(db, message, held, undone);
      if (stays(outcome)) {
        undone.add(message.id());
        hold(message, held);
      }
      outcomes.add(outcome);
    }
    if (!undone.isEmpty()) {
      engine.ids().forget(db, drawn, undone);
    }
    call.committing();
    return outcomes;
  }

  private Handled outcome(Statements db, Message message, Set<String> held, Set<String> undone)
      throws SQLException {
    if (undone.contains(message.id())) {
      return new Handled.HeldBack(); // the same message a second time
    }
    if (!unhandled.remove(message.id())) {
      return new Handled.Duplicate();
    }
    return held.contains(message.orderingKey())
        ? new Handled.HeldBack()
        : call.handle(db.connection(), message);
  }

  static boolean stays(Handled outcome) {
    return outcome instanceof Handled.Failed || outcome instanceof Handled.HeldBack;
  }

  static void hold(Message message, Set<String> held) {
    if (message.ordered()) {
      held.add(message.orderingKey());
    }
  }

  /** See {@link HandlerCall#fault}. */
  Optional<Exception> fault(StoreException thrown) {
    return call.fault(thrown);
  }

  /**
   * After a handler that ended the transaction, as a commit would: the ids of the messages behind
   * it may be there without their effects. They are known by what was drawn for this transaction.
   */
  void repair() {
    InboxIds.Mark drawn = mark;
    if (call.ended() && drawn != null && !unhandled.isEmpty()) {
      engine.transact(
          "ids of messages that were not handled could not be taken out again, look at this consumer's ids",
          db -> engine.ids().forget(db, drawn, unhandled));
    }
  }
}
