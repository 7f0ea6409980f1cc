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
 * Same-transaction mode on SQLite within one transaction that its caller has begun, on a connection
 * of its own to the store's file, and will end. From its beginning on nobody else writes to the
 * file. For one execution.
 */
final class JoinedSqlite implements EngineTransactions {
  /** Changes nothing, but waits until this transaction is the one that may write. */
  private static final String WRITE_LOCK = "DELETE FROM semel_idempotency WHERE 0";

  /** A second mark of the same place, for when the first is gone and the record is refused. */
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

  /** The whole of it would have to be begun anew, which is its caller's to do. */
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
    // The connection is the caller's.
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

    /** The beginning is marked already. */
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

    /** The caller does. */
    @Override
    public void commit() {}

    /** Undoes what was not recorded; the transaction goes on. */
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
