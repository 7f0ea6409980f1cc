package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.StoredRecord;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * MariaDB's SQL, written so that every {@code sql_mode} reads it the same way: no double quotes, no
 * {@code ||}, and no assignment that reads another assignment of its statement. {@code
 * UTC_TIMESTAMP} is the time when the statement began, in every session's time zone.
 */
public final class MariaDbDialect implements SqlDialect {
  /** The oldest supported version; {@code INSERT … RETURNING} came with 10.5. */
  private static final int OLDEST_MAJOR = 10;

  private static final int OLDEST_MINOR = 6;

  static final String COLUMNS =
      """
      state, token, attempt, fingerprint, request_id,
      TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), lease_until),
      TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at),
      TIMESTAMPDIFF(MICROSECOND, claimed_at, UTC_TIMESTAMP(6)),
      payload_type, payload
      """;

  static final String FIND = "SELECT " + COLUMNS + " FROM semel_idempotency WHERE `key` = ?";

  /**
   * One row: the claim's record or the existing one, which stays unchanged. {@code IGNORE} would do
   * the same, but would hide other errors as well.
   */
  private static final String CLAIM =
      """
      INSERT INTO semel_idempotency (`key`, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, retention, payload_type, payload)
      VALUES (?, 'P', ?, 1, ?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
        UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?, '', '')
      ON DUPLICATE KEY UPDATE attempt = attempt RETURNING\s"""
          + COLUMNS;

  private static final String TAKE =
      """
      UPDATE semel_idempotency SET state = 'P', token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = UTC_TIMESTAMP(6),
        lease_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
        expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, retention = ?,
        ended_at = NULL, payload_type = '', payload = ''
      WHERE `key` = ? AND token = ? AND state = ? AND (expires_at <= UTC_TIMESTAMP(6)
        OR state = 'R' OR (state = 'P' AND lease_until <= UTC_TIMESTAMP(6)))""";

  /**
   * Returns the row that exists afterwards. A row count would not do: drivers also count unchanged
   * rows.
   */
  private static final String ADOPT =
      """
      INSERT INTO semel_idempotency (`key`, state, token, attempt, fingerprint, request_id,
        claimed_at, lease_until, expires_at, retention, ended_at, payload_type, payload)
      VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND,
        UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?,
        CASE WHEN ? THEN UTC_TIMESTAMP(6) END, ?, ?)
      ON DUPLICATE KEY UPDATE attempt = attempt RETURNING state, token, attempt""";

  private static final String REPLACE_ADOPTED =
      """
      UPDATE semel_idempotency SET state = ?, token = ?, attempt = ?, fingerprint = ?,
        request_id = ?, claimed_at = UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND,
        lease_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
        expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, retention = ?,
        ended_at = CASE WHEN ? THEN UTC_TIMESTAMP(6) END, payload_type = ?, payload = ?
      WHERE `key` = ? AND token = ? AND state = ?""";

  private static final String HELD =
      " WHERE `key` = ? AND token = ? AND state = 'P' AND expires_at > UTC_TIMESTAMP(6)";

  private static final String RENEW =
      """
      UPDATE semel_idempotency SET lease_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
        expires_at = UTC_TIMESTAMP(6) + INTERVAL GREATEST(retention, ?) MICROSECOND"""
          + HELD;

  private static final String COMPLETE =
      """
      UPDATE semel_idempotency SET state = ?, payload_type = ?, payload = ?,
        ended_at = UTC_TIMESTAMP(6), lease_until = UTC_TIMESTAMP(6),
        expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, retention = ?"""
          + HELD;

  private static final String RELEASE =
      """
      UPDATE semel_idempotency SET state = 'R', fingerprint = '', lease_until = UTC_TIMESTAMP(6),
        expires_at = UTC_TIMESTAMP(6) + INTERVAL retention MICROSECOND"""
          + HELD;

  private static final String STATE =
      """
      SELECT state FROM semel_idempotency
      WHERE `key` = ? AND token = ? AND expires_at > UTC_TIMESTAMP(6)""";

  /**
   * The inner query takes one page by key, the next sums the payloads, the outer one cuts there.
   */
  private static final String LIST =
      "SELECT "
          + COLUMNS
          + """
          , t.`key` FROM (
            SELECT p.`key`, sum(p.bytes) OVER (ORDER BY p.`key`) - p.bytes AS bytes_before
            FROM (
              SELECT `key`, coalesce(octet_length(payload), 0) AS bytes FROM semel_idempotency
              WHERE `key` >= ? AND `key` > ? AND `key` < ? AND expires_at > UTC_TIMESTAMP(6)
              ORDER BY `key` LIMIT ?) p) w
          JOIN semel_idempotency t ON t.`key` = w.`key`
          WHERE w.bytes_before < ? ORDER BY t.`key`""";

  private static final String FORCE_RELEASE =
      """
      UPDATE semel_idempotency SET state = 'R', token = ?, fingerprint = '',
        lease_until = UTC_TIMESTAMP(6),
        expires_at = UTC_TIMESTAMP(6) + INTERVAL retention MICROSECOND,
        ended_at = NULL, payload_type = '', payload = ''
      WHERE `key` = ? AND expires_at > UTC_TIMESTAMP(6)""";

  private static final String DELETE =
      "DELETE FROM semel_idempotency WHERE `key` = ? AND expires_at > UTC_TIMESTAMP(6)";

  private static final String PURGE =
      """
      DELETE FROM semel_idempotency WHERE expires_at <= UTC_TIMESTAMP(6)
      ORDER BY expires_at LIMIT ?""";

  private static final String ENDED =
      """
      SELECT count(*) FROM (
        SELECT 1 FROM semel_idempotency WHERE expires_at <= UTC_TIMESTAMP(6) LIMIT ?) e""";

  /** The keys are counted exactly, but InnoDB only estimates a table's size, with a delay. */
  private static final String USAGE =
      """
      SELECT (SELECT count(*) FROM semel_idempotency WHERE expires_at > UTC_TIMESTAMP(6)),
        data_length + index_length, FALSE
      FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'semel_idempotency'""";

  private static final String CLOCK =
      "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000";

  /** Lock names are global to the server, and at most 64 characters long. */
  public static final String LOCK_NAME = "SHA2(CONCAT_WS(':', 'semel', DATABASE(), ?), 256)";

  private static final String TABLES = "schema changes";

  private final SqlFaults faults = new MariaDbFaults();

  @Override
  public SqlFaults faults() {
    return faults;
  }

  @Override
  public SqlSchema schema() {
    return SqlSchema.MARIADB;
  }

  @Override
  public void check(StatementCache db) throws SQLException {
    DatabaseMetaData server = db.connection().getMetaData();
    int major = server.getDatabaseMajorVersion();
    if (!server.getDatabaseProductName().equals("MariaDB")
        || major < OLDEST_MAJOR
        || (major == OLDEST_MAJOR && server.getDatabaseMinorVersion() < OLDEST_MINOR)) {
      throw new StoreException(
          "MariaDB: the server is %s %s, and this store needs MariaDB %d.%d or newer"
              .formatted(
                  server.getDatabaseProductName(),
                  server.getDatabaseProductVersion(),
                  OLDEST_MAJOR,
                  OLDEST_MINOR));
    }
    if (db.connection().getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
      throw new StoreException(
          "MariaDB: the connection reads what others have not committed: let the source use READ COMMITTED or stricter");
    }
    String encoding =
        db.first("SELECT @@character_set_client", rs -> rs.getString(1)).orElseThrow();
    if (!encoding.equals("utf8mb4")) {
      throw new StoreException(
          "MariaDB: the connection's character set is %s, which can't hold every key: use utf8mb4"
              .formatted(encoding));
    }
  }

  @Override
  public List<String> hazards(StatementCache db) throws SQLException {
    int flush =
        db.first("SELECT @@innodb_flush_log_at_trx_commit", rs -> rs.getInt(1)).orElseThrow();
    return flush == 1
        ? List.of()
        : List.of(
            "MariaDB runs with innodb_flush_log_at_trx_commit = %d: a crash can lose the last second of what it answered; set it to 1"
                .formatted(flush));
  }

  @Override
  public void lockTables(StatementCache db) throws SQLException {
    boolean locked =
        db.first(
                "SELECT GET_LOCK(" + LOCK_NAME + ", ?)",
                rs -> rs.getBoolean(1),
                TABLES,
                TABLES_WITHIN.toSeconds())
            .orElseThrow();
    if (!locked) {
      throw new StoreException(
          "MariaDB: another process has been changing the tables for %d s: wait for it, and ask again"
              .formatted(TABLES_WITHIN.toSeconds()));
    }
    db.update("SET lock_wait_timeout = " + TABLE_WAIT.toSeconds());
  }

  @Override
  public void unlockTables(StatementCache db) throws SQLException {
    db.update("SET lock_wait_timeout = DEFAULT");
    db.first("SELECT RELEASE_LOCK(" + LOCK_NAME + ")", rs -> true, TABLES);
  }

  @Override
  public Object value(Token token) {
    return RecordRows.bytes(token);
  }

  @Override
  public Token token(ResultSet row) throws SQLException {
    return RecordRows.token(row.getBytes(RecordRows.TOKEN));
  }

  /** The token shows whether the row is the claim's own. */
  @Override
  public Found insertOrFind(StatementCache db, ClaimRequest request) throws SQLException {
    long retention = ServerRecords.micros(request.retention());
    return new Found(
        false,
        db.first(
            CLAIM,
            rs -> ServerRecords.existing(this, rs),
            request.key().text(),
            RecordRows.bytes(request.token()),
            request.fingerprint().text(),
            request.requestId(),
            ServerRecords.micros(request.lease()),
            retention,
            retention));
  }

  /** When two callers import the same record at once, both get true: it is there. */
  @Override
  public boolean insertAdopted(StatementCache db, KeyEntry entry) throws SQLException {
    StoredRecord brought = entry.existing();
    return db.first(
            ADOPT,
            rs ->
                rs.getString(RecordRows.STATE).equals(RecordRows.code(brought.state()))
                    && token(rs).equals(brought.token())
                    && rs.getInt(RecordRows.ATTEMPT) == brought.original().attempt(),
            ServerAdoption.values(this, entry))
        .orElseThrow();
  }

  @Override
  public String replaceAdopted() {
    return REPLACE_ADOPTED;
  }

  @Override
  public String adding(String table, String key) {
    return " ON DUPLICATE KEY UPDATE value = %s.value + VALUES(value)".formatted(table);
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
