package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.inbox.Handled;
import dev.semel.transport.Message;
import dev.semel.transport.Place;
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

  private final Waiting before;

  private InboxIds.@Nullable Mark mark;

  /** Recorded in this transaction, and not yet looked at. */
  private Set<String> unhandled = Set.of();

  InboxAttempt(InboxEngine engine, String consumer, MessageHandler<?> handler, Waiting before) {
    this.engine = engine;
    this.consumer = consumer;
    this.call = new HandlerCall(engine, handler);
    this.before = before;
  }

  /**
   * Runs it.
   *
   * @param places of each, if the consumer's positions are kept here; else empty
   */
  List<Handled> run(Statements db, List<Message> messages, List<Place> places) throws SQLException {
    call.begin();
    InboxIds.Mark drawn = engine.mark(consumer, InboxIds.DONE);
    mark = drawn;
    unhandled = engine.ids().record(db, drawn, messages.stream().map(Message::id).toList());
    Set<String> undone = new HashSet<>();
    Waiting waiting = new Waiting(before);
    List<Handled> outcomes = new ArrayList<>();
    for (Message message : messages) {
      Handled outcome = outcome(db, message, waiting, undone);
      if (outcome.stays()) {
        undone.add(message.id());
        waiting.add(message);
      }
      outcomes.add(outcome);
    }
    if (!undone.isEmpty()) {
      engine.ids().forget(db, drawn, undone);
    }
    List<Place> reached =
        Place.reached(places, i -> !before.has(places.get(i)) && outcomes.get(i).isOver());
    engine.positions().advance(db, consumer, reached);
    call.committing();
    return outcomes;
  }

  private Handled outcome(Statements db, Message message, Waiting waiting, Set<String> undone)
      throws SQLException {
    if (undone.contains(message.id())) {
      return new Handled.HeldBack(); // the same message a second time
    }
    if (!unhandled.remove(message.id())) {
      return new Handled.Duplicate();
    }
    return waiting.has(message) ? new Handled.HeldBack() : call.handle(db.connection(), message);
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
