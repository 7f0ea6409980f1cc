package dev.semel.jdbc;

import dev.semel.StoreException;
import dev.semel.inbox.Handled;
import dev.semel.inbox.Intake;
import dev.semel.inbox.Rejected;
import dev.semel.transport.Message;
import dev.semel.transport.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Messages with effects outside the database, one by one: see {@link OutsideMode}. */
final class OutsideIntake implements Intake {
  private static final String FIND =
      "SELECT state, taker FROM semel_inbox WHERE consumer = ? AND id = ?";

  private static final String DONE =
      "UPDATE semel_inbox SET state = 'D' WHERE consumer = ? AND id = ? AND taker = ?";

  private final InboxEngine engine;
  private final String consumer;
  private final OutsideHandler handler;
  private final OutsideMode mode;

  OutsideIntake(InboxEngine engine, String consumer, OutsideHandler handler, OutsideMode mode) {
    this.engine = engine;
    this.consumer = consumer;
    this.handler = handler;
    this.mode = mode;
  }

  @Override
  public List<Handled> take(List<Message> messages) {
    List<Handled> outcomes = new ArrayList<>();
    Waiting waiting = new Waiting();
    for (Message message : messages) {
      Handled outcome = waiting.has(message) ? new Handled.HeldBack() : take(message);
      if (outcome.stays()) {
        waiting.add(message);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  /** A position that can't be moved leaves messages that come again, and are duplicates then. */
  @Override
  public List<Handled> take(List<Message> messages, List<Place> places) {
    List<Handled> outcomes = take(messages);
    engine.positions().advance(consumer, Place.reached(places, i -> outcomes.get(i).isOver()));
    return outcomes;
  }

  private Handled take(Message message) {
    String first =
        switch (mode) {
          case AT_MOST_ONCE -> InboxIds.DONE;
          case IN_DOUBT -> InboxIds.STARTED;
        };
    InboxIds.Mark mark = engine.mark(consumer, first);
    Optional<Handled> before =
        twice("the message was not started", db -> before(db, mark, message));
    return before.orElseGet(() -> run(mark, message));
  }

  /**
   * What is known of it; empty: it is new. An id with our own mark is ours: the answer to an
   * earlier try was lost.
   */
  private Optional<Handled> before(Statements db, InboxIds.Mark mark, Message message)
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

  private static Optional<Handled> known(ResultSet row, InboxIds.Mark mark) throws SQLException {
    if (row.getLong(2) == mark.taker()) {
      return Optional.empty();
    }
    return Optional.of(
        row.getString(1).equals(InboxIds.DONE) ? new Handled.Duplicate() : new Handled.InDoubt());
  }

  private Handled run(InboxIds.Mark mark, Message message) {
    try {
      message.origin().<Exception>run(() -> handler.handle(message));
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return failed(mark, message, e);
    }
    return switch (mode) {
      case AT_MOST_ONCE -> new Handled.Done();
      case IN_DOUBT -> {
        twice(
            "the message was handled and could not be marked as done, it is in doubt",
            db -> db.update(DONE, consumer, message.id(), mark.taker()));
        yield new Handled.Done();
      }
    };
  }

  /** At most once: it is not run again, whatever anyone tries. */
  private Handled failed(InboxIds.Mark mark, Message message, Exception failure) {
    return switch (mode) {
      case AT_MOST_ONCE -> new Handled.Failed(failure, true);
      case IN_DOUBT -> {
        if (failure instanceof Rejected) {
          twice(
              "the message was rejected and its id could not be taken out again, it is in doubt",
              db -> engine.ids().forget(db, mark, List.of(message.id())));
          yield new Handled.Failed(failure, true);
        }
        yield new Handled.InDoubt();
      }
    };
  }

  /** An answer may be lost; each of these steps may be taken again with the same mark. */
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
