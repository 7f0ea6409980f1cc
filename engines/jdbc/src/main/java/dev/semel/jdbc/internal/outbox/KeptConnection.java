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
 * A connection that stays open, with prepared statements and session settings. After an error it is
 * dropped, and the next call opens another one.
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
   * Connects on the first call.
   *
   * @param transactions whether a step has more than one statement
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
    open = db; // assigned before the set-up, so that a failed set-up drops the connection
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

  /** Restores the session: a pool must not lend it to others with our settings. */
  private void giveBack() {
    StatementCache db = open;
    open = null;
    if (db != null) {
      Connection connection = db.connection();
      BorrowedConnection.giveBack(
          connection,
          () -> {
            db.closeStatements();
            connection.setAutoCommit(true); // no transaction is open: each step has ended its own
            execute(connection, sql.takeDown());
            if (connection.getTransactionIsolation() != isolation) {
              connection.setTransactionIsolation(isolation);
            }
            connection.setAutoCommit(automatic);
          });
    }
  }

  /** Aborts the connection, because its state is unknown. */
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
