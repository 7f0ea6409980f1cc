package dev.semel.jdbc.internal.sqlite;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The steps of an execution as SQL. Each runs in a transaction that holds the file's write lock, so
 * what it reads can't change before it writes. Times are milliseconds, {@code now} is the store's.
 */
public final class SqliteRecords {
  /** The columns take {@code now} three times, before the conditions. */
  static final String COLUMNS =
      "state, token, attempt, fingerprint, request_id, lease_until - ?, expires_at - ?,"
          + " ? - claimed_at, payload_type, payload";

  private static final String FIND = "SELECT " + COLUMNS + " FROM semel_idempotency WHERE key = ?";

  private static final String INSERT =
      """
      INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, retention, payload_type, payload)
      VALUES (?, 'P', ?, 1, ?, ?, ?, ?, ?, ?, '', x'') ON CONFLICT DO NOTHING""";

  private static final String TAKE =
      """
      UPDATE semel_idempotency SET state = 'P', token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = ?, lease_until = ?, expires_at = ?, retention = ?,
        ended_at = NULL, payload_type = '', payload = x'' WHERE key = ?""";

  private static final String RENEW =
      """
      UPDATE semel_idempotency SET lease_until = ?, expires_at = max(? + retention, ?)
      WHERE key = ? AND token = ? AND state = 'P' AND expires_at > ?""";

  private static final String COMPLETE =
      """
      UPDATE semel_idempotency SET state = ?, payload_type = ?, payload = ?, ended_at = ?,
        lease_until = ?, expires_at = ?, retention = ?
      WHERE key = ? AND token = ? AND state = 'P' AND expires_at > ?""";

  private static final String RELEASE =
      """
      UPDATE semel_idempotency SET state = 'R', fingerprint = '', lease_until = ?,
        expires_at = ? + retention
      WHERE key = ? AND token = ? AND state = 'P' AND expires_at > ?""";

  private static final String STATE =
      "SELECT state FROM semel_idempotency WHERE key = ? AND token = ? AND expires_at > ?";

  private SqliteRecords() {}

  public static ClaimResult claim(StatementCache db, ClaimRequest request, long now)
      throws SQLException {
    long leaseUntil = now + request.lease().toMillis();
    long retention = request.retention().toMillis();
    int inserted =
        db.update(
            INSERT,
            request.key().text(),
            RecordRows.bytes(request.token()),
            request.fingerprint().text(),
            request.requestId(),
            now,
            leaseUntil,
            now + retention,
            retention);
    if (inserted == 1) {
      return new ClaimResult.Granted(request.token(), 1, false);
    }
    StoredRecord seen = find(db, request.key(), now).orElseThrow();
    return switch (RecordRows.decide(seen, request)) {
      case StoredRecord.Decision.Answer answer -> answer.claim();
      case StoredRecord.Decision.Take take -> {
        db.update(
            TAKE,
            RecordRows.bytes(request.token()),
            take.attempt(),
            request.fingerprint().text(),
            request.requestId(),
            now,
            leaseUntil,
            now + retention,
            retention,
            request.key().text());
        yield new ClaimResult.Granted(request.token(), take.attempt(), take.takenOver());
      }
    };
  }

  /** Finds the record, even if its retention ended. */
  public static Optional<StoredRecord> find(StatementCache db, Key key, long now)
      throws SQLException {
    return db.first(FIND, SqliteRecords::existing, now, now, now, key.text());
  }

  static StoredRecord existing(ResultSet rs) throws SQLException {
    return RecordRows.existing(
        rs, RecordRows.token(rs.getBytes(RecordRows.TOKEN)), ChronoUnit.MILLIS);
  }

  public static boolean renew(StatementCache db, Key key, Token token, Duration lease, long now)
      throws SQLException {
    long leaseUntil = now + lease.toMillis();
    return db.update(RENEW, leaseUntil, now, leaseUntil, key.text(), RecordRows.bytes(token), now)
        == 1;
  }

  public static boolean complete(
      StatementCache db, Key key, Token token, ExecutionEnd ending, Duration retention, long now)
      throws SQLException {
    int completed =
        db.update(
            COMPLETE,
            RecordRows.code(ending.state()),
            ending.payload().type(),
            ending.payload().bytes(),
            now,
            now,
            now + retention.toMillis(),
            retention.toMillis(),
            key.text(),
            RecordRows.bytes(token),
            now);
    return completed == 1 || state(db, key, token, now).map(RecordState::ended).orElse(false);
  }

  public static boolean release(StatementCache db, Key key, Token token, long now)
      throws SQLException {
    int released = db.update(RELEASE, now, now, key.text(), RecordRows.bytes(token), now);
    return released == 1
        || state(db, key, token, now).map(s -> s == RecordState.RELEASED).orElse(false);
  }

  /** The state of the record that this token wrote last: a step may be repeated. */
  private static Optional<RecordState> state(StatementCache db, Key key, Token token, long now)
      throws SQLException {
    return db.first(
        STATE,
        rs -> RecordState.of(rs.getString(1).charAt(0)),
        key.text(),
        RecordRows.bytes(token),
        now);
  }
}
