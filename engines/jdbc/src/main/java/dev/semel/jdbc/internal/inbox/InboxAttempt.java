package dev.semel.jdbc.internal.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageHandler;
import dev.semel.jdbc.internal.inbox.HandlerCall.Parted;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles messages in one transaction: records their ids together, then handles the new ones in
 * order, and removes the ids of those that failed. The transaction may run more than once, each
 * time from the start.
 *
 * <p>In a watched transaction, handlers share one savepoint: when one fails, all are undone, and
 * those before it run again with a savepoint each.
 */
final class InboxAttempt {
  private final InboxEngine engine;
  private final String consumer;
  private final HandlerCall call;

  private final WaitingMessage before;

  private InboxIds.@Nullable Mark mark;

  private InboxIds.Recorded recorded = InboxIds.Recorded.of(Set.of());

  /** Ids recorded in this transaction that are unhandled, or handled and undone. */
  private Set<String> withoutEffect = Set.of();

  InboxAttempt(InboxEngine engine, String consumer, MessageHandler handler, WaitingMessage before) {
    this.engine = engine;
    this.consumer = consumer;
    this.call = new HandlerCall(engine, handler);
    this.before = before;
  }

  /**
   * Runs the attempt.
   *
   * @param places the position of each message, if the consumer's positions are stored here; else
   *     empty
   * @param together whether handlers may share a savepoint
   */
  List<HandleResult> run(
      StatementCache db, List<Message> messages, List<LogPosition> places, boolean together)
      throws SQLException {
    call.begin();
    InboxIds.Mark drawn = engine.mark(consumer, InboxIds.DONE);
    mark = drawn;
    recorded = engine.ids().record(db, drawn, messages.stream().map(Message::id).toList());
    Set<String> fresh = recorded.fresh();
    List<HandleResult> outcomes =
        together && fresh.size() > 1
            ? together(db.connection(), messages, fresh)
            : each(db.connection(), messages, fresh);
    if (!withoutEffect.isEmpty()) {
      engine.ids().forget(db, drawn, withoutEffect);
    }
    List<LogPosition> reached =
        LogPosition.reached(places, i -> !before.has(places.get(i)) && outcomes.get(i).isOver());
    engine.positions().advance(db, consumer, reached);
    call.committing();
    return outcomes;
  }

  /** Handles one new message. */
  @FunctionalInterface
  private interface How {
    HandleResult handle(Message message) throws SQLException, Parted;
  }

  private List<HandleResult> together(
      Connection connection, List<Message> messages, Set<String> fresh) throws SQLException {
    Optional<TransactionWatch> watch = engine.watch(connection);
    if (watch.isEmpty()) {
      return each(connection, messages, fresh);
    }
    List<Message> handled = new ArrayList<>();
    try {
      List<HandleResult> outcomes =
          round(
              messages,
              fresh,
              message -> {
                handled.add(message);
                return call.handleTogether(connection, message, watch.get());
              });
      call.releaseTogether(connection);
      return outcomes;
    } catch (Parted e) {
      return again(connection, messages, fresh, handled.getLast().id(), e);
    }
  }

  /**
   * Runs from the start, with a savepoint each. The handler that failed does not run twice, unless
   * an earlier one fails too: then that may have caused its failure.
   */
  private List<HandleResult> again(
      Connection connection, List<Message> messages, Set<String> fresh, String last, Parted parted)
      throws SQLException {
    List<HandleResult> failed = new ArrayList<>();
    return inOrder(
        messages,
        fresh,
        message -> {
          boolean known = message.id().equals(last) && failed.isEmpty();
          HandleResult outcome =
              known && parted.failure().isPresent()
                  ? HandlerCall.failed(parted.failure().get())
                  : call.handle(connection, message);
          if (outcome.stays()) {
            failed.add(outcome);
          }
          return outcome;
        });
  }

  private List<HandleResult> each(Connection connection, List<Message> messages, Set<String> fresh)
      throws SQLException {
    return inOrder(messages, fresh, message -> call.handle(connection, message));
  }

  private List<HandleResult> inOrder(List<Message> messages, Set<String> fresh, How how)
      throws SQLException {
    try {
      return round(messages, fresh, how);
    } catch (Parted e) {
      throw new IllegalStateException("each has a savepoint", e);
    }
  }

  private List<HandleResult> round(List<Message> messages, Set<String> fresh, How how)
      throws SQLException, Parted {
    Set<String> unhandled = new HashSet<>(fresh);
    Set<String> without = new HashSet<>(fresh);
    withoutEffect = without;
    WaitingMessage waiting = new WaitingMessage(before);
    List<HandleResult> outcomes = new ArrayList<>();
    for (Message message : messages) {
      String id = message.id();
      HandleResult outcome;
      if (recorded.tooOld().contains(id)) {
        outcome = HandlerCall.tooOld(recorded, message);
      } else if (!unhandled.remove(id)) {
        // Or the same message is twice in this batch, and the first one is unfinished.
        outcome = without.contains(id) ? new HandleResult.HeldBack() : new HandleResult.Duplicate();
      } else if (waiting.has(message)) {
        outcome = new HandleResult.HeldBack();
      } else {
        without.remove(id); // removed only until the handler fails
        outcome = how.handle(message);
      }
      if (outcome.stays()) {
        if (fresh.contains(id)) {
          without.add(id);
        }
        waiting.add(message);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  /** As {@link HandlerCall#fault}. */
  Optional<Exception> fault(StoreException thrown) {
    return call.fault(thrown);
  }

  /**
   * Repairs ids after a handler ended the transaction, for example by a commit: the ids of later
   * messages, and of earlier failed ones, may be committed without their effects. The transaction's
   * mark identifies them.
   */
  void repair() {
    InboxIds.Mark drawn = mark;
    if (call.ended() && drawn != null && !withoutEffect.isEmpty()) {
      engine.transact(
          "ids of messages that were not handled could not be taken out again, look at this consumer's ids",
          db -> engine.ids().forget(db, drawn, withoutEffect));
    }
  }
}
