package dev.semel.jdbc.internal.transaction;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.internal.store.AdvisoryLock;
import dev.semel.jdbc.internal.store.PostgresFaults;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.ServerRecords;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.transaction.EngineTransactions.Seen;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of same-transaction mode on PostgreSQL. It holds an advisory lock on the key
 * until it ends, so concurrent duplicates learn at once that it is in flight, without waiting for a
 * row.
 */
public final class PostgresTransaction implements EngineTransactions.Transaction {
  /**
   * Runs with the read as two statements in one round trip. The second one's snapshot begins after
   * the first has the lock; in a single statement the snapshot would be older, and could miss a
   * record committed since. The setting lasts as long as the transaction, so it shows later whether
   * the transaction is still the same. The first execution in a transaction sets it; nested ones
   * keep it.
   */
  private static final String LOCK =
      "SELECT pg_try_advisory_xact_lock(?), set_config('semel.token',"
          + " coalesce(nullif(current_setting('semel.token', true), ''), ?), true); ";

  /** Writes nothing unless this is still the transaction that locked the key. */
  private static final String RECORD =
      """
      INSERT INTO semel_idempotency AS t (key, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, ended_at, retention, payload_type, payload)
      SELECT ?, ?, ?, ?, ?, ?, transaction_timestamp(), c.now,
        c.now + ? * interval '1 microsecond', c.now, ? * interval '1 microsecond', ?, ?
      FROM (SELECT clock_timestamp() AS now) c WHERE current_setting('semel.token', true) = ?
      ON CONFLICT (key) DO UPDATE SET state = excluded.state, token = excluded.token,
        attempt = excluded.attempt, fingerprint = excluded.fingerprint,
        request_id = excluded.request_id, claimed_at = excluded.claimed_at,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at,
        ended_at = excluded.ended_at, retention = excluded.retention,
        payload_type = excluded.payload_type, payload = excluded.payload
      WHERE t.expires_at <= clock_timestamp() OR (t.token = ? AND t.state = ?
        AND (t.state = 'R' OR (t.state = 'P' AND t.lease_until <= clock_timestamp())))""";

  private static final String SAME = "SELECT current_setting('semel.token', true) = ?";

  private final BorrowedConnection borrowed;
  private final Begun begun;
  private @Nullable Savepoint start;
  private boolean closed;

  /** The record found, and the transaction's identifying setting. */
  private record Begun(Seen seen, String mark) {}

  private PostgresTransaction(BorrowedConnection borrowed, Begun begun) {
    this.borrowed = borrowed;
    this.begun = begun;
  }

  /** Begins. */
  public static PostgresTransaction begin(
      BorrowedConnection borrowed, SqlDialect sql, Key key, Token token) throws SQLException {
    borrowed.connection().setAutoCommit(false);
    return new PostgresTransaction(borrowed, lockAndSee(borrowed.connection(), sql, key, token));
  }

  private static Begun lockAndSee(Connection connection, SqlDialect sql, Key key, Token token)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK + sql.find())) {
      RecordRows.bind(statement, AdvisoryLock.of(key.text()), token.text(), key.text());
      statement.execute();
      boolean locked;
      String mark;
      try (ResultSet rs = statement.getResultSet()) {
        rs.next();
        locked = rs.getBoolean(1);
        mark = rs.getString(2);
      }
      statement.getMoreResults();
      try (ResultSet rs = statement.getResultSet()) {
        Optional<StoredRecord> existing =
            rs.next() ? Optional.of(ServerRecords.existing(sql, rs)) : Optional.empty();
        return new Begun(new Seen(locked, existing), mark);
      }
    }
  }

  @Override
  public Seen seen() {
    return begun.seen();
  }

  @Override
  public Connection connection() {
    return borrowed.connection();
  }

  @Override
  public void markStart() throws SQLException {
    start = borrowed.connection().setSavepoint();
  }

  @Override
  public void undoWork() throws SQLException {
    if (start == null) {
      throw new IllegalStateException("the start was not marked");
    }
    borrowed.requireOpen();
    borrowed.connection().rollback(start);
  }

  @Override
  public boolean record(ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException {
    borrowed.requireOpen();
    try {
      return insert(claim, attempt, ending) == 1 || refused();
    } catch (SQLException e) {
      if (PostgresFaults.ABORTED_TRANSACTION.equals(e.getSQLState())) {
        throw new IllegalStateException(
            "the work caught an SQL error and went on, but PostgreSQL had given its transaction up, so nothing was committed: let the error pass, avoid it with ON CONFLICT, or set a savepoint before the statement",
            e);
      }
      throw e;
    }
  }

  private int insert(ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException {
    long retention = ServerRecords.micros(claim.retention());
    Optional<StoredRecord> existing = seen().existing();
    try (PreparedStatement statement = connection().prepareStatement(RECORD)) {
      RecordRows.bind(
          statement,
          claim.key().text(),
          RecordRows.code(ending.state()),
          claim.token().value(),
          attempt,
          claim.fingerprint().text(),
          claim.requestId(),
          retention,
          retention,
          ending.payload().type(),
          ending.payload().bytes(),
          begun.mark(),
          existing.map(StoredRecord::token).orElse(claim.token()).value(),
          existing.map(e -> RecordRows.code(e.state())).orElse(""));
      return statement.executeUpdate();
    }
  }

  /** Nothing was written: another record is in the way, unless the work ended the transaction. */
  private boolean refused() throws SQLException {
    try (PreparedStatement statement = connection().prepareStatement(SAME)) {
      RecordRows.bind(statement, begun.mark());
      try (ResultSet rs = statement.executeQuery()) {
        rs.next();
        if (!rs.getBoolean(1)) {
          throw EngineTransactions.endedByWork();
        }
        return false;
      }
    }
  }

  @Override
  public void commit() throws SQLException {
    borrowed.commit();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      borrowed.giveBack(() -> {}); // the transaction's end released the lock
    }
  }
}
