package dev.semel.jdbc.internal.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.jdbc.OutsideHandler;
import dev.semel.jdbc.OutsideMode;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles messages with effects outside the database, one by one: see {@link OutsideMode}. */
public final class OutsideConsumerInbox implements ConsumerInbox {
  private static final String FIND =
      "SELECT state, taker FROM semel_inbox WHERE consumer = ? AND id = ?";

  private static final String DONE =
      "UPDATE semel_inbox SET state = 'D' WHERE consumer = ? AND id = ? AND taker = ?";

  private final InboxEngine engine;
  private final String consumer;
  private final OutsideHandler handler;
  private final OutsideMode mode;

  public OutsideConsumerInbox(
      InboxEngine engine, String consumer, OutsideHandler handler, OutsideMode mode) {
    this.engine = engine;
    this.consumer = consumer;
    this.handler = handler;
    this.mode = mode;
  }

  @Override
  public List<HandleResult> take(List<Message> messages) {
    List<HandleResult> outcomes = new ArrayList<>();
    WaitingMessage waiting = new WaitingMessage();
    for (Message message : messages) {
      HandleResult outcome = waiting.has(message) ? new HandleResult.HeldBack() : take(message);
      if (outcome.stays()) {
        waiting.add(message);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  /** If moving a position fails, the messages come again, as duplicates. */
  @Override
  public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
    List<HandleResult> outcomes = take(messages);
    engine
        .positions()
        .advance(consumer, LogPosition.reached(places, i -> outcomes.get(i).isOver()));
    return outcomes;
  }

  private HandleResult take(Message message) {
    String first =
        switch (mode) {
          case AT_MOST_ONCE -> InboxIds.DONE;
          case IN_DOUBT -> InboxIds.STARTED;
        };
    InboxIds.Mark mark = engine.mark(consumer, first);
    Optional<HandleResult> before =
        twice("the message was not started", db -> before(db, mark, message));
    return before.orElseGet(() -> run(mark, message));
  }

  /**
   * What is known about the message; empty: it is new. An id with our own mark is ours: the answer
   * to an earlier try was lost.
   */
  private Optional<HandleResult> before(StatementCache db, InboxIds.Mark mark, Message message)
      throws SQLException {
    InboxIds.Recorded recorded = engine.ids().record(db, mark, List.of(message.id()));
    if (!recorded.tooOld().isEmpty()) {
      return Optional.of(HandlerCall.tooOld(recorded, message));
    }
    if (!recorded.fresh().isEmpty()) {
      return Optional.empty();
    }
    return db.first(FIND, rs -> known(rs, mark), consumer, message.id())
        .orElseThrow(() -> new SQLException("the id was deleted in between"));
  }

  private static Optional<HandleResult> known(ResultSet row, InboxIds.Mark mark)
      throws SQLException {
    if (row.getLong(2) == mark.taker()) {
      return Optional.empty();
    }
    return Optional.of(
        row.getString(1).equals(InboxIds.DONE)
            ? new HandleResult.Duplicate()
            : new HandleResult.InDoubt());
  }

  private HandleResult run(InboxIds.Mark mark, Message message) {
    try {
      message.origin().<Exception>run(() -> handler.handle(message));
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return failed(mark, message, e);
    }
    return switch (mode) {
      case AT_MOST_ONCE -> new HandleResult.Done();
      case IN_DOUBT -> {
        twice(
            "the message was handled and could not be marked as done, it is in doubt",
            db -> db.update(DONE, consumer, message.id(), mark.taker()));
        yield new HandleResult.Done();
      }
    };
  }

  /** At most once: it never runs again, even if redelivered. */
  private HandleResult failed(InboxIds.Mark mark, Message message, Exception failure) {
    return switch (mode) {
      case AT_MOST_ONCE -> new HandleResult.Failed(failure, true);
      case IN_DOUBT -> {
        if (failure instanceof MessageRejected) {
          twice(
              "the message was rejected and its id could not be taken out again, it is in doubt",
              db -> engine.ids().forget(db, mark, List.of(message.id())));
          yield new HandleResult.Failed(failure, true);
        }
        yield new HandleResult.InDoubt();
      }
    };
  }

  /** Repeats the step once when its answer was lost: each step is idempotent with the same mark. */
  private <R> R twice(String what, GroupCommit.Step<R> step) {
    try {
      return engine.transact(what, step);
    } catch (StoreException lost) {
      try {
        return engine.transact(what, step);
      } catch (StoreException e) {
        e.addSuppressed(lost);
        throw e;
      }
    }
  }
}
