package dev.semel.jdbc.internal.sqlite;

import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A connection that writes, one transaction at a time. After a failure it connects anew, because
 * the driver closes statements that failed, and an open transaction must not outlive its failure.
 * For one thread at a time.
 */
public final class SqliteWriter implements AutoCloseable {
  private static final int PART_MILLIS = 100;

  private final SqliteFile file;
  private final boolean forHandlers;
  private @Nullable StatementCache statements;

  public SqliteWriter(SqliteFile file, boolean forHandlers) {
    this.file = file;
    this.forHandlers = forHandlers;
  }

  /**
   * Waits for other processes for {@link SqliteFile#BUSY_TIMEOUT}. In parts, because SQLite looks
   * at the lock ever less often: between two busy processes a third would find it taken each time.
   */
  public StatementCache begin() throws SQLException {
    long deadline = System.nanoTime() + SqliteFile.BUSY_TIMEOUT.toNanos();
    while (true) {
      try {
        return beginOnce();
      } catch (SQLException e) {
        disconnect();
        if (!SqliteFault.isBusy(e) || System.nanoTime() >= deadline) {
          throw e;
        }
      }
    }
  }

  /** {@code BEGIN IMMEDIATE}: the driver sends it when automatic commits are turned off. */
  private StatementCache beginOnce() throws SQLException {
    StatementCache db = statements;
    if (db == null) {
      db = new StatementCache(file.connect(forHandlers));
      statements = db;
      try (Statement statement = db.connection().createStatement()) {
        statement.execute("PRAGMA busy_timeout = " + PART_MILLIS);
      }
    }
    db.connection().setAutoCommit(false);
    return db;
  }

  public Connection connection() {
    return open().connection();
  }

  private StatementCache open() {
    StatementCache db = statements;
    if (db == null) {
      throw new IllegalStateException("no transaction has begun");
    }
    return db;
  }

  /**
   * Turning automatic commits on sends {@code COMMIT} and nothing else. {@link Connection#commit}
   * would begin the next transaction at once, and so take the file's lock with nothing to do.
   */
  public void commit() throws SQLException {
    try {
      open().connection().setAutoCommit(true);
    } catch (SQLException | RuntimeException e) {
      disconnect();
      throw e;
    }
  }

  /** Whatever the state of the transaction, after this there is none. */
  public void rollback() {
    StatementCache db = statements;
    if (db == null) {
      return;
    }
    try (Statement statement = db.connection().createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      disconnect();
      return;
    }
    try {
      db.connection().setAutoCommit(true);
    } catch (SQLException noTransactionIsActive) {
      // What was asked for is that the driver forgets about it, and it has.
    }
  }

  /** Closing rolls back. */
  public void disconnect() {
    StatementCache db = statements;
    statements = null;
    if (db != null) {
      db.close();
    }
  }

  @Override
  public void close() {
    disconnect();
  }
}
