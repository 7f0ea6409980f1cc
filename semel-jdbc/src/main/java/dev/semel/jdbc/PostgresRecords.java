package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Ending;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/**
 * The steps of an execution as SQL, each statement a transaction of its own. The clock is the
 * server's, {@code c.now}; durations are sent in microseconds.
 */
final class PostgresRecords {
  /** How often a claim looks again because the record changed between look and write. */
  static final int MAX_CLAIM_TRIES = 50;

  static final String NOW = "(SELECT clock_timestamp() AS now) c";

  static final String COLUMNS =
      """
      t.state, t.token, t.attempt, t.fingerprint, t.request_id,
      (extract(epoch FROM t.lease_until - c.now) * 1000000)::bigint,
      (extract(epoch FROM t.expires_at - c.now) * 1000000)::bigint,
      (extract(epoch FROM c.now - t.claimed_at) * 1000000)::bigint,
      t.payload_type, t.payload
      """;

  static final String FIND =
      "SELECT " + COLUMNS + " FROM semel_idempotency t, " + NOW + " WHERE t.key = ?";

  private static final int INSERTED = 11;

  /** One row: whether the insert won and, if it did not, the record that was there before. */
  private static final String CLAIM =
      """
      WITH c AS MATERIALIZED (SELECT clock_timestamp() AS now), won AS (
        INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
          claimed_at, lease_until, expires_at, retention, payload_type, payload)
        SELECT ?, 'P', ?, 1, ?, ?, c.now, c.now + ? * interval '1 microsecond',
          c.now + ? * interval '1 microsecond', ? * interval '1 microsecond', '', '' FROM c
        ON CONFLICT (key) DO NOTHING RETURNING 1)
      SELECT\s"""
          + COLUMNS
          + ", (SELECT count(*) FROM won) FROM c LEFT JOIN semel_idempotency t ON t.key = ?";

  /** Only what was seen may be replaced: same token, same state, and its time still over. */
  private static final String TAKE =
      """
      UPDATE semel_idempotency t SET state = 'P', token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = c.now, lease_until = c.now + ? * interval '1 microsecond',
        expires_at = c.now + ? * interval '1 microsecond',
        retention = ? * interval '1 microsecond', ended_at = NULL, payload_type = '', payload = ''
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND "
          + takeable();

  private static final String RENEW =
      """
      UPDATE semel_idempotency t SET lease_until = c.now + ? * interval '1 microsecond',
        expires_at = c.now + greatest(t.retention, ? * interval '1 microsecond')
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND t.token = ? AND t.state = 'P' AND t.expires_at > c.now";

  private static final String COMPLETE =
      """
      UPDATE semel_idempotency t SET state = ?, payload_type = ?, payload = ?, ended_at = c.now,
        lease_until = c.now, expires_at = c.now + ? * interval '1 microsecond',
        retention = ? * interval '1 microsecond'
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND t.token = ? AND t.state = 'P' AND t.expires_at > c.now";

  private static final String RELEASE =
      """
      UPDATE semel_idempotency t SET state = 'R', fingerprint = '', lease_until = c.now,
        expires_at = c.now + t.retention
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND t.token = ? AND t.state = 'P' AND t.expires_at > c.now";

  private static final String STATE =
      """
      SELECT state FROM semel_idempotency
      WHERE key = ? AND token = ? AND expires_at > clock_timestamp()""";

  private PostgresRecords() {}

  /** A condition on the record {@code t}, with the token and state that were seen. */
  static String takeable() {
    return """
    t.token = ? AND t.state = ? AND (t.expires_at <= c.now OR t.state = 'R'
      OR (t.state = 'P' AND t.lease_until <= c.now))""";
  }

  static long micros(Duration d) {
    return d.toNanos() / 1000;
  }

  /** What a claim found: its insert won, or this was there before, if it could be seen at all. */
  private record Found(boolean inserted, Optional<Existing> before) {}

  static Claim claim(Statements db, ClaimRequest request) throws SQLException {
    for (int tries = 0; tries < MAX_CLAIM_TRIES; tries++) {
      Found found = insertOrFind(db, request);
      if (found.inserted()) {
        return new Claim.Granted(request.token(), 1, false);
      }
      if (found.before().isEmpty()) {
        continue; // whoever won did so after this statement had begun to look
      }
      Existing seen = found.before().get();
      switch (Rows.decide(seen, request)) {
        case Existing.Decision.Answer answer -> {
          return answer.claim();
        }
        case Existing.Decision.Take take -> {
          if (take(db, request, seen, take.attempt())) {
            return new Claim.Granted(request.token(), take.attempt(), take.takenOver());
          }
        }
      }
    }
    throw new StoreException(
        "nothing was claimed: the key changed hands %d times while it was asked for: ask again"
            .formatted(MAX_CLAIM_TRIES));
  }

  private static Found insertOrFind(Statements db, ClaimRequest request) throws SQLException {
    long retention = micros(request.retention());
    return db.first(
            CLAIM,
            PostgresRecords::found,
            request.key().text(),
            request.token().value(),
            request.fingerprint().text(),
            request.requestId(),
            micros(request.lease()),
            retention,
            retention,
            request.key().text())
        .orElseThrow();
  }

  private static Found found(ResultSet rs) throws SQLException {
    boolean before = rs.getString(Rows.STATE) != null;
    return new Found(
        rs.getInt(INSERTED) == 1, before ? Optional.of(existing(rs)) : Optional.empty());
  }

  private static boolean take(Statements db, ClaimRequest request, Existing seen, int attempt)
      throws SQLException {
    long retention = micros(request.retention());
    int taken =
        db.update(
            TAKE,
            request.token().value(),
            attempt,
            request.fingerprint().text(),
            request.requestId(),
            micros(request.lease()),
            retention,
            retention,
            request.key().text(),
            seen.token().value(),
            Rows.code(seen.state()));
    return taken == 1;
  }

  /** What is there, even if its retention ended. */
  static Optional<Existing> find(Statements db, Key key) throws SQLException {
    return db.first(FIND, PostgresRecords::existing, key.text());
  }

  static Existing existing(ResultSet rs) throws SQLException {
    Token token = new Token(rs.getObject(Rows.TOKEN, UUID.class));
    return Rows.existing(rs, token, ChronoUnit.MICROS);
  }

  static boolean renew(Statements db, Key key, Token token, Duration lease) throws SQLException {
    return db.update(RENEW, micros(lease), micros(lease), key.text(), token.value()) == 1;
  }

  static boolean complete(Statements db, Key key, Token token, Ending ending, Duration retention)
      throws SQLException {
    int completed =
        db.update(
            COMPLETE,
            Rows.code(ending.state()),
            ending.payload().type(),
            ending.payload().bytes(),
            micros(retention),
            micros(retention),
            key.text(),
            token.value());
    return completed == 1 || state(db, key, token).map(State::ended).orElse(false);
  }

  static boolean release(Statements db, Key key, Token token) throws SQLException {
    return db.update(RELEASE, key.text(), token.value()) == 1
        || state(db, key, token).map(s -> s == State.RELEASED).orElse(false);
  }

  /**
   * Where the record stands that this token wrote last: the same step may have come before. Asked
   * in a statement of its own, because only that sees what the update has just waited for.
   */
  private static Optional<State> state(Statements db, Key key, Token token) throws SQLException {
    return db.first(STATE, rs -> State.of(rs.getString(1).charAt(0)), key.text(), token.value());
  }
}
