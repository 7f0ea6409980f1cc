package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.KeyEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** PostgreSQL's SQL. The clock is {@code c.now}. */
public final class PostgresDialect implements SqlDialect {
  private static final String NOW = "(SELECT clock_timestamp() AS now) c";

  private static final String COLUMNS =
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

  /** One row: whether the insert won, and if not, the existing record. */
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

  private static final String TAKE =
      """
      UPDATE semel_idempotency t SET state = 'P', token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = c.now, lease_until = c.now + ? * interval '1 microsecond',
        expires_at = c.now + ? * interval '1 microsecond',
        retention = ? * interval '1 microsecond', ended_at = NULL, payload_type = '', payload = ''
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND t.token = ? AND t.state = ? AND (t.expires_at <= c.now"
          + " OR t.state = 'R' OR (t.state = 'P' AND t.lease_until <= c.now))";

  private static final String ADOPT =
      """
      INSERT INTO semel_idempotency (key, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, retention, ended_at, payload_type, payload)
      SELECT ?, ?, ?, ?, ?, ?, c.now - ? * interval '1 microsecond',
        c.now + ? * interval '1 microsecond', c.now + ? * interval '1 microsecond',
        ? * interval '1 microsecond', CASE WHEN ? THEN c.now END, ?, ? FROM\s"""
          + NOW
          + " ON CONFLICT (key) DO NOTHING";

  private static final String REPLACE_ADOPTED =
      """
      UPDATE semel_idempotency t SET state = ?, token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = c.now - ? * interval '1 microsecond',
        lease_until = c.now + ? * interval '1 microsecond',
        expires_at = c.now + ? * interval '1 microsecond',
        retention = ? * interval '1 microsecond', ended_at = CASE WHEN ? THEN c.now END,
        payload_type = ?, payload = ?
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND t.token = ? AND t.state = ?";

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

  /**
   * The inner query takes one page by key, the next sums the payloads, the outer one cuts there.
   */
  private static final String LIST =
      "SELECT "
          + COLUMNS
          + """
          , t.key FROM (
            SELECT p.*, sum(octet_length(p.payload)) OVER (ORDER BY p.key)
              - octet_length(p.payload) AS bytes_before
            FROM (
              SELECT * FROM semel_idempotency
              WHERE key >= ? AND key > ? AND key < ? AND expires_at > clock_timestamp()
              ORDER BY key LIMIT ?) p) t,
          """
          + NOW
          + " WHERE t.bytes_before < ? ORDER BY t.key";

  private static final String FORCE_RELEASE =
      """
      UPDATE semel_idempotency t SET state = 'R', token = ?, fingerprint = '',
        lease_until = c.now, expires_at = c.now + t.retention, ended_at = NULL,
        payload_type = '', payload = ''
      FROM\s"""
          + NOW
          + " WHERE t.key = ? AND t.expires_at > c.now";

  private static final String DELETE =
      "DELETE FROM semel_idempotency WHERE key = ? AND expires_at > clock_timestamp()";

  /**
   * Uses the statement's time, because an index can't be searched for a moving one. Skips locked
   * rows: a claim is about to take them.
   */
  private static final String PURGE =
      """
      DELETE FROM semel_idempotency WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM semel_idempotency WHERE expires_at <= statement_timestamp()
        LIMIT ? FOR UPDATE SKIP LOCKED))""";

  private static final String ENDED =
      """
      SELECT count(*) FROM (
        SELECT 1 FROM semel_idempotency WHERE expires_at <= statement_timestamp() LIMIT ?) e""";

  private static final String USAGE =
      """
      SELECT count(*), pg_total_relation_size('semel_idempotency'), TRUE
      FROM semel_idempotency WHERE expires_at > statement_timestamp()""";

  private static final String CLOCK =
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  private final SqlFaults faults = new PostgresFaults();

  @Override
  public SqlFaults faults() {
    return faults;
  }

  @Override
  public SqlSchema schema() {
    return SqlSchema.POSTGRESQL;
  }

  @Override
  public void check(StatementCache db) throws SQLException {
    String encoding = db.first("SHOW server_encoding", rs -> rs.getString(1)).orElseThrow();
    if (!encoding.equals("UTF8")) {
      throw new StoreException(
          "PostgreSQL: the database's encoding is %s, which can't hold every key: use one with UTF8"
              .formatted(encoding));
    }
  }

  @Override
  public List<String> hazards(StatementCache db) throws SQLException {
    List<String> hazards = new ArrayList<>();
    if (off(db, "fsync")) {
      hazards.add(
          "PostgreSQL runs with fsync off: a crash of the machine can lose or damage any record; set fsync to on");
    }
    if (off(db, "full_page_writes")) {
      hazards.add(
          "PostgreSQL runs with full_page_writes off: a crash of the machine can damage pages; set full_page_writes to on");
    }
    if (off(db, "synchronous_commit")) {
      hazards.add(
          "PostgreSQL runs with synchronous_commit off: a crash of the server loses what it answered last; set synchronous_commit to on");
    }
    return hazards;
  }

  private static boolean off(StatementCache db, String setting) throws SQLException {
    return db.first("SELECT current_setting(?)", rs -> rs.getString(1), setting)
        .orElseThrow()
        .equals("off");
  }

  @Override
  public void lockTables(StatementCache db) throws SQLException {
    wait(db, TABLES_WITHIN);
    db.first(
        "SELECT pg_advisory_xact_lock(?)", rs -> true, AdvisoryLock.of("semel schema changes"));
    wait(db, TABLE_WAIT);
  }

  /** Limits lock waits until the transaction ends. */
  private static void wait(StatementCache db, Duration longest) throws SQLException {
    db.first("SELECT set_config('lock_timeout', ?, true)", rs -> true, longest.toMillis() + "ms");
  }

  /** Does nothing: the transaction's end released the lock. */
  @Override
  public void unlockTables(StatementCache db) {}

  @Override
  public Object value(Token token) {
    return token.value();
  }

  @Override
  public Token token(ResultSet row) throws SQLException {
    return new Token(row.getObject(RecordRows.TOKEN, UUID.class));
  }

  @Override
  public Found insertOrFind(StatementCache db, ClaimRequest request) throws SQLException {
    long retention = ServerRecords.micros(request.retention());
    return db.first(
            CLAIM,
            this::found,
            request.key().text(),
            request.token().value(),
            request.fingerprint().text(),
            request.requestId(),
            ServerRecords.micros(request.lease()),
            retention,
            retention,
            request.key().text())
        .orElseThrow();
  }

  private Found found(ResultSet rs) throws SQLException {
    boolean before = rs.getString(RecordRows.STATE) != null;
    return new Found(
        rs.getInt(INSERTED) == 1,
        before ? Optional.of(ServerRecords.existing(this, rs)) : Optional.empty());
  }

  @Override
  public boolean insertAdopted(StatementCache db, KeyEntry entry) throws SQLException {
    return db.update(ADOPT, ServerAdoption.values(this, entry)) == 1;
  }

  @Override
  public String replaceAdopted() {
    return REPLACE_ADOPTED;
  }

  @Override
  public String adding(String table, String key) {
    return SqlEngine.onConflictAdd(table, key);
  }

  @Override
  public String now() {
    return CLOCK;
  }

  @Override
  public String find() {
    return FIND;
  }

  @Override
  public String take() {
    return TAKE;
  }

  @Override
  public String renew() {
    return RENEW;
  }

  @Override
  public String complete() {
    return COMPLETE;
  }

  @Override
  public String release() {
    return RELEASE;
  }

  @Override
  public String state() {
    return STATE;
  }

  @Override
  public String list() {
    return LIST;
  }

  @Override
  public String forceRelease() {
    return FORCE_RELEASE;
  }

  @Override
  public String delete() {
    return DELETE;
  }

  @Override
  public String purge() {
    return PURGE;
  }

  @Override
  public String ended() {
    return ENDED;
  }

  @Override
  public String usage() {
    return USAGE;
  }
}
