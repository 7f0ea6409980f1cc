package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.jdbc.internal.transaction.BorrowedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is kept open, with its statements prepared and its session set up as it needs
 * it. After an error it is given up, and the next call opens another one.
 */
public final class KeptConnection implements CallQueue {
  private final SqlSessions sessions;
  private final OutboxDialect sql;
  private final boolean transactions;
  private final ReentrantLock turn = new ReentrantLock();
  private @Nullable StatementCache open;
  private boolean automatic;
  private int isolation;

  /**
   * Opens nothing yet.
   *
   * @param transactions whether a step is more than one statement
   */
  public KeptConnection(SqlSessions sessions, OutboxDialect sql, boolean transactions) {
    this.sessions = sessions;
    this.sql = sql;
    this.transactions = transactions;
  }

  @Override
  public <R> R run(String what, GroupCommit.Step<R> step) {
    turn.lock();
    boolean usable = false;
    try {
      StatementCache db = open();
      R result = step.run(db);
      if (transactions) {
        db.connection().commit();
      }
      usable = true;
      return result;
    } catch (SQLException e) {
      throw sessions.faults().of(what, e);
    } finally {
      if (!usable) {
        giveUp();
      }
      turn.unlock();
    }
  }

  private StatementCache open() throws SQLException {
    StatementCache known = open;
    if (known != null) {
      return known;
    }
    Connection connection = sessions.connect();
    StatementCache db = new StatementCache(connection);
    open = db; // before it is set up, so that it is given up if that fails
    automatic = connection.getAutoCommit();
    connection.setAutoCommit(true);
    isolation = connection.getTransactionIsolation();
    execute(connection, sql.setUp());
    connection.setAutoCommit(!transactions);
    return db;
  }

  private static void execute(Connection connection, List<String> all) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : all) {
        statement.execute(each);
      }
    }
  }

  /** As it came: a pool must not lend it to others as it is set up now. */
  private void giveBack() {
    StatementCache db = open;
    open = null;
    if (db != null) {
      Connection connection = db.connection();
      BorrowedConnection.giveBack(
          connection,
          () -> {
            db.closeStatements();
            connection.setAutoCommit(true); // nothing is open: each step has ended its own
            execute(connection, sql.takeDown());
            if (connection.getTransactionIsolation() != isolation) {
              connection.setTransactionIsolation(isolation);
            }
            connection.setAutoCommit(automatic);
          });
    }
  }

  /** Cut off, because nobody knows how it was left. */
  private void giveUp() {
    StatementCache db = open;
    open = null;
    if (db != null) {
      BorrowedConnection.giveUp(db.connection());
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      giveBack();
    } finally {
      turn.unlock();
    }
  }
}
