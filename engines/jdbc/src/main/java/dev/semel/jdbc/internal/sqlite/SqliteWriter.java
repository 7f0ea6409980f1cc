package dev.semel.jdbc.internal.sqlite;

import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A connection that writes, one transaction at a time. After a failure it reconnects, because the
 * driver closes failed statements and an open transaction must not outlive its failure. For one
 * thread at a time.
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
   * Begins a transaction, and waits up to {@link SqliteFile#BUSY_TIMEOUT} for other processes. It
   * waits in parts, because SQLite polls the lock less and less often: between two busy processes a
   * third would find it taken each time.
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
   * Commits by turning automatic commits on, which sends {@code COMMIT} and nothing else. {@link
   * Connection#commit} would begin the next transaction at once, and so lock the file for nothing.
   */
  public void commit() throws SQLException {
    try {
      open().connection().setAutoCommit(true);
    } catch (SQLException | RuntimeException e) {
      disconnect();
      throw e;
    }
  }

  /** Ends the transaction, whatever its state. */
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
      // The driver has dropped its transaction, which is all that this is for.
    }
  }

  /** Closes the connection, which rolls back. */
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
