package dev.semel.jdbc.internal.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageHandler;
import dev.semel.inbox.MessageRejected;
import dev.semel.jdbc.internal.store.PostgresFaults;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs handlers in one transaction, each behind a savepoint, so that a failing one is undone alone.
 * In a watched transaction all share one savepoint: one savepoint each costs two round trips, and
 * from the 65th on slows down other sessions' reads of these rows. Afterwards it knows which
 * handler made the commit fail. For one thread.
 */
public final class HandlerCall {
  private static final String SAVEPOINT = "SAVEPOINT semel_message";
  private static final String RELEASE = "RELEASE SAVEPOINT semel_message";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT semel_message";
  private static final String RELEASE_ALL = "RELEASE " + TransactionWatch.SAVEPOINT;
  private static final String UNDO_ALL = "ROLLBACK TO " + TransactionWatch.SAVEPOINT;

  /** Thrown when handlers behind one savepoint must run separately; their writes were undone. */
  static final class Parted extends Exception {
    private static final long serialVersionUID = 1L;

    private Parted(@Nullable Exception failure) {
      super("a handler failed among others", failure, false, false);
    }

    /** The exception of the last handler; empty: it returned, but left the transaction broken. */
    Optional<Exception> failure() {
      return Optional.ofNullable((Exception) getCause());
    }
  }

  private final InboxEngine engine;
  private final MessageHandler handler;
  private @Nullable Exception failure;
  private boolean committing;
  private boolean ended;

  public HandlerCall(InboxEngine engine, MessageHandler handler) {
    this.engine = engine;
    this.handler = handler;
  }

  /** The transaction begins, possibly again. */
  public void begin() {
    failure = null;
    committing = false;
  }

  /** Only the commit is left. */
  public void committing() {
    committing = true;
  }

  /** Whether a handler ended the transaction, by a commit or a rollback. */
  boolean ended() {
    return ended;
  }

  /** The failure to blame on the message when the transaction could not commit; empty: none. */
  public Optional<Exception> fault(StoreException thrown) {
    if (!committing) {
      return Optional.ofNullable(failure);
    }
    return SqlFaults.sqlCause(thrown)
        .filter(engine.faults()::refusedCommit)
        .map(e -> (Exception) e);
  }

  /** Runs a handler behind its savepoint. Throws errors that concern the whole transaction. */
  public HandleResult handle(Connection connection, Message message) throws SQLException {
    failure = null;
    execute(connection, SAVEPOINT);
    try {
      message.origin().<Exception>run(() -> handler.handle(connection, message));
    } catch (Exception e) {
      return failed(connection, e);
    }
    requireOpen(connection);
    try {
      execute(connection, RELEASE);
      return new HandleResult.Done();
    } catch (SQLException e) {
      requireSavepoint(e);
      if (!PostgresFaults.ABORTED_TRANSACTION.equals(e.getSQLState())) {
        throw e;
      }
      return failed(
          connection,
          new IllegalStateException(
              "the handler caught an SQL error and went on, but PostgreSQL had given its transaction up: let the error pass, avoid it with ON CONFLICT, or set a savepoint before the statement",
              e));
    }
  }

  /**
   * Runs a handler behind the shared savepoint.
   *
   * @throws Parted when the handler failed, or did something that looked like the transaction's end
   */
  HandleResult handleTogether(Connection connection, Message message, TransactionWatch watch)
      throws SQLException, Parted {
    failure = null;
    try {
      message.origin().<Exception>run(() -> handler.handle(connection, message));
    } catch (Exception e) {
      note(e);
    }
    requireOpen(connection);
    if (failure != null || !watch.holds()) {
      throw parted(connection);
    }
    return new HandleResult.Done();
  }

  /** After the last handler: detects whether one of them left the transaction broken. */
  void releaseTogether(Connection connection) throws SQLException, Parted {
    try {
      execute(connection, RELEASE_ALL);
    } catch (SQLException e) {
      if (!PostgresFaults.ABORTED_TRANSACTION.equals(e.getSQLState())) {
        throw e;
      }
      throw parted(connection);
    }
  }

  private Parted parted(Connection connection) throws SQLException {
    Exception thrown = failure;
    try {
      execute(connection, UNDO_ALL);
    } catch (SQLException e) {
      requireSavepoint(e);
      throw e;
    }
    failure = null;
    return new Parted(thrown);
  }

  private void note(Exception thrown) throws SQLException {
    failure = thrown;
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    if (engine.faults().isConflict(thrown)) {
      throw SqlFaults.sqlCause(thrown).orElseThrow();
    }
  }

  private HandleResult failed(Connection connection, Exception thrown) throws SQLException {
    note(thrown);
    requireOpen(connection);
    try {
      execute(connection, UNDO);
      execute(connection, RELEASE);
    } catch (SQLException e) {
      requireSavepoint(e);
      throw e;
    }
    failure = null; // the handler is undone, so later errors are not its fault
    return failed(thrown);
  }

  /** The message is too old, so no retry can succeed. */
  static HandleResult tooOld(InboxIds.Recorded recorded, Message message) {
    return new HandleResult.Failed(recorded.refusal(message.id()), true);
  }

  static HandleResult failed(Exception reason) {
    return new HandleResult.Failed(reason, reason instanceof MessageRejected);
  }

  private void requireOpen(Connection connection) throws SQLException {
    if (connection.isClosed() || connection.getAutoCommit()) {
      throw endedByHandler();
    }
  }

  private void requireSavepoint(SQLException e) throws SQLException {
    if (engine.savepointIsGone(e)) {
      throw endedByHandler();
    }
  }

  private SQLException endedByHandler() {
    ended = true;
    IllegalStateException mistake =
        new IllegalStateException(
            "the handler ended its transaction: let it not commit, roll back, close the connection, or change its automatic commits, and on MariaDB not define tables or catch a deadlock's error");
    if (failure != null) {
      mistake.addSuppressed(failure);
    }
    failure = mistake;
    return new SQLException("the handler ended its transaction", mistake);
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
