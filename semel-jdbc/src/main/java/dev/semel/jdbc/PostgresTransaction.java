package dev.semel.jdbc;

import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Existing;
import dev.semel.jdbc.Transactions.Seen;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** One transaction of same-transaction mode on PostgreSQL. */
final class PostgresTransaction implements Transactions.Transaction {
  /** Writes nothing unless this is still the transaction that took the key. */
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

  private final Connection connection;
  private final boolean automatic;
  private final Seen seen;
  private @Nullable Savepoint start;
  private boolean committed;
  private boolean closed;

  /**
   * Takes over a connection with a transaction on it.
   *
   * @param automatic how the pool had its automatic commits
   */
  PostgresTransaction(Connection connection, boolean automatic, Seen seen) {
    this.connection = connection;
    this.automatic = automatic;
    this.seen = seen;
  }

  @Override
  public Seen seen() {
    return seen;
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public void markStart() throws SQLException {
    start = connection.setSavepoint();
  }

  @Override
  public void undoWork() throws SQLException {
    if (start == null) {
      throw new IllegalStateException("the start was not marked");
    }
    requireOpen();
    connection.rollback(start);
  }

  @Override
  public boolean record(ClaimRequest claim, int attempt, Ending ending) throws SQLException {
    requireOpen();
    try {
      return insert(claim, attempt, ending) == 1 || refused(claim);
    } catch (SQLException e) {
      if (PostgresFault.ABORTED_TRANSACTION.equals(e.getSQLState())) {
        throw new IllegalStateException(
            "the work caught an SQL error and went on, but PostgreSQL had given its transaction up, so nothing was committed: let the error pass, avoid it with ON CONFLICT, or set a savepoint before the statement",
            e);
      }
      throw e;
    }
  }

  private void requireOpen() throws SQLException {
    if (connection.isClosed() || connection.getAutoCommit()) {
      throw Transactions.endedByWork();
    }
  }

  private int insert(ClaimRequest claim, int attempt, Ending ending) throws SQLException {
    long retention = PostgresRecords.micros(claim.retention());
    try (PreparedStatement statement = connection.prepareStatement(RECORD)) {
      Rows.bind(
          statement,
          claim.key().text(),
          Rows.code(ending.state()),
          claim.token().value(),
          attempt,
          claim.fingerprint().text(),
          claim.requestId(),
          retention,
          retention,
          ending.payload().type(),
          ending.payload().bytes(),
          claim.token().text(),
          seen.existing().map(Existing::token).orElse(claim.token()).value(),
          seen.existing().map(e -> Rows.code(e.state())).orElse(""));
      return statement.executeUpdate();
    }
  }

  /** Nothing was written: another record is in the way, unless the work ended the transaction. */
  private boolean refused(ClaimRequest claim) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SAME)) {
      Rows.bind(statement, claim.token().text());
      try (ResultSet rs = statement.executeQuery()) {
        rs.next();
        if (!rs.getBoolean(1)) {
          throw Transactions.endedByWork();
        }
        return false;
      }
    }
  }

  @Override
  public void commit() throws SQLException {
    connection.commit();
    committed = true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (connection.isClosed()) {
        return;
      }
      if (!committed && !connection.getAutoCommit()) {
        connection.rollback();
      }
      connection.setAutoCommit(automatic);
      connection.close();
    } catch (SQLException e) {
      giveUp(connection);
    }
  }

  /** Turning automatic commits on would commit; what can't be rolled back is cut off instead. */
  static void giveUp(Connection connection) {
    try (connection) {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone already; the server rolls back what a lost client left open.
    }
  }
}
