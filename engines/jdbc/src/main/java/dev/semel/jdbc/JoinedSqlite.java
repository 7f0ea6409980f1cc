package dev.semel.jdbc;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.jdbc.internal.sqlite.SqliteRecords;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Same-transaction mode on SQLite inside a transaction that the caller began on another connection
 * to the store's file, and will end. While it runs, no other connection can write to the file. For
 * one execution.
 */
final class JoinedSqlite implements EngineTransactions {
  /** Changes nothing, but makes this transaction wait until it holds the write lock. */
  private static final String WRITE_LOCK = "DELETE FROM semel_idempotency WHERE 0";

  /** A second savepoint at the same place, for when the first is gone and the record is refused. */
  private static final String UNDO = SqliteTransactions.START + "_undo";

  private final SqliteStore store;
  private final Connection connection;

  JoinedSqlite(SqliteStore store, Connection connection) {
    this.store = store;
    this.connection = connection;
  }

  @Override
  public Transaction begin(Key key, Token token) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new InvalidInput(
          "the connection commits every statement by itself, so the record would not belong to what the work writes: call setAutoCommit(false) first, and commit after both");
    }
    StatementCache db = new StatementCache(connection);
    boolean begun = false;
    try {
      SqliteTransactions.execute(connection, "SAVEPOINT " + UNDO);
      SqliteTransactions.execute(connection, "SAVEPOINT " + SqliteTransactions.START);
      db.update(WRITE_LOCK);
      long now = store.clock().millis();
      Part part = new Part(db, new Seen(true, SqliteRecords.find(db, key, now)), now);
      begun = true;
      return part;
    } finally {
      if (!begun) {
        db.closeStatements();
      }
    }
  }

  /** Never repeats: only the caller could begin the whole transaction again. */
  @Override
  public boolean isConflict(Throwable failure) {
    return false;
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    return false;
  }

  @Override
  public Fate fate(Key key, Token token) {
    return Fate.UNKNOWN; // nothing is committed here
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return store.file().fault(what, e);
  }

  @Override
  public void close() {
    // The caller owns the connection.
  }

  private final class Part implements Transaction {
    private final StatementCache db;
    private final Seen seen;
    private final long begunAt;
    private boolean recorded;
    private boolean closed;

    Part(StatementCache db, Seen seen, long begunAt) {
      this.db = db;
      this.seen = seen;
      this.begunAt = begunAt;
    }

    @Override
    public Seen seen() {
      return seen;
    }

    @Override
    public Connection connection() {
      return connection;
    }

    /** The savepoint already marks the beginning. */
    @Override
    public void markStart() {}

    @Override
    public void undoWork() throws SQLException {
      SqliteTransactions.requireSame(connection, "ROLLBACK TO " + SqliteTransactions.START);
    }

    @Override
    public boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending)
        throws SQLException {
      SqliteTransactions.requireSame(connection, "RELEASE " + SqliteTransactions.START);
      SqliteTransactions.Times times =
          new SqliteTransactions.Times(begunAt, store.clock().millis());
      SqliteTransactions.write(db, times, claim, attempt, ending);
      recorded = true;
      return true;
    }

    /** Does nothing: the caller commits. */
    @Override
    public void commit() {}

    /** Undoes writes that were not recorded; the transaction continues. */
    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      try {
        if (!connection.isClosed() && !connection.getAutoCommit()) {
          if (!recorded) {
            SqliteTransactions.execute(connection, "ROLLBACK TO " + UNDO);
          }
          SqliteTransactions.execute(connection, "RELEASE " + UNDO);
        }
      } catch (SQLException e) {
        throw fault("what the work wrote can't be undone alone, roll the transaction back", e);
      } finally {
        db.closeStatements();
      }
    }
  }
}
