package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.internal.sqlite.SqliteFault;
import dev.semel.jdbc.internal.sqlite.SqliteFile;
import dev.semel.jdbc.internal.sqlite.SqliteRecords;
import dev.semel.jdbc.internal.sqlite.SqliteWriter;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Same-transaction mode on SQLite. The file has one writer at a time, so all work runs one after
 * another and every duplicate finds the earlier record.
 */
final class SqliteTransactions implements EngineTransactions {
  private static final String RECORD =
      """
      INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, ended_at, retention, payload_type, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET state = excluded.state, token = excluded.token,
        attempt = excluded.attempt, fingerprint = excluded.fingerprint,
        request_id = excluded.request_id, claimed_at = excluded.claimed_at,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at,
        ended_at = excluded.ended_at, retention = excluded.retention,
        payload_type = excluded.payload_type, payload = excluded.payload""";

  /**
   * This savepoint exists exactly as long as its transaction, so it shows whether the transaction
   * is still the same.
   */
  static final String START = "semel";

  private final SqliteStore store;
  private final SqliteFile file;

  /** Used only by the thread that has the turn. */
  private final SqliteWriter writer;

  SqliteTransactions(SqliteStore store) {
    this.store = store;
    this.file = store.file();
    this.writer = new SqliteWriter(file, true);
  }

  @Override
  public Transaction begin(Key key, Token token) throws SQLException {
    file.awaitTurn();
    boolean begun = false;
    try {
      StatementCache db = writer.begin();
      long now = store.clock().millis();
      execute(db.connection(), "SAVEPOINT " + START);
      Seen seen = new Seen(true, SqliteRecords.find(db, key, now));
      begun = true;
      return new SqliteTransaction(db, seen, now);
    } finally {
      if (!begun) {
        writer.disconnect();
        file.giveTurn();
      }
    }
  }

  /** When the transaction began and ended, in milliseconds. */
  record Times(long begun, long ended) {}

  /** Replaces any record of the key: one transaction writes at a time, so no race is possible. */
  static void write(
      StatementCache db, Times times, ClaimRequest claim, int attempt, ExecutionEnd ending)
      throws SQLException {
    long retention = claim.retention().toMillis();
    db.update(
        RECORD,
        claim.key().text(),
        RecordRows.code(ending.state()),
        RecordRows.bytes(claim.token()),
        attempt,
        claim.fingerprint().text(),
        claim.requestId(),
        times.begun(),
        times.ended(),
        times.ended() + retention,
        times.ended(),
        retention,
        ending.payload().type(),
        ending.payload().bytes());
  }

  /** Fails when the transaction was replaced: only the original one has the savepoint. */
  static void requireSame(Connection connection, String statement) throws SQLException {
    if (connection.isClosed() || connection.getAutoCommit()) {
      throw EngineTransactions.endedByWork();
    }
    try {
      execute(connection, statement);
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains("no such savepoint")) {
        throw EngineTransactions.endedByWork();
      }
      throw e;
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Conflicts can't happen: one transaction writes at a time. */
  @Override
  public boolean isConflict(Throwable failure) {
    return false;
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    return SqliteFault.refusedCommit(e);
  }

  /**
   * After a disk error a missing record proves nothing: it may still be in the log and reappear.
   */
  @Override
  public Fate fate(Key key, Token token) {
    try {
      boolean found =
          store.find(key).map(StoredRecord::token).map(t -> t.equals(token)).orElse(false);
      return found ? Fate.COMMITTED : Fate.UNKNOWN;
    } catch (StoreException e) {
      return Fate.UNKNOWN;
    }
  }

  @Override
  public StoreException fault(String what, SQLException e) {
    return file.fault(what, e);
  }

  /** Waits for the work that has the turn, then closes. */
  @Override
  public void close() {
    try {
      file.takeTurn();
      try {
        writer.close();
      } finally {
        file.giveTurn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process's end closes the connection
    }
  }

  private final class SqliteTransaction implements Transaction {
    private final StatementCache db;
    private final Seen seen;
    private final long begunAt;
    private boolean committed;
    private boolean closed;

    SqliteTransaction(StatementCache db, Seen seen, long begunAt) {
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
      return db.connection();
    }

    /** The savepoint already marks the beginning. */
    @Override
    public void markStart() {}

    @Override
    public void undoWork() throws SQLException {
      requireSame(db.connection(), "ROLLBACK TO " + START);
    }

    @Override
    public boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending)
        throws SQLException {
      requireSame(db.connection(), "RELEASE " + START);
      write(db, new Times(begunAt, store.clock().millis()), claim, attempt, ending);
      return true;
    }

    @Override
    public void commit() throws SQLException {
      writer.commit();
      committed = true;
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      try {
        if (!committed) {
          writer.rollback();
        }
      } finally {
        file.giveTurn();
      }
    }
  }
}
