package dev.semel.jdbc.internal.store;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.inbox.InboxPartitionTables;
import dev.semel.jdbc.internal.inbox.InboxTables;
import dev.semel.jdbc.internal.jobs.JobTables;
import dev.semel.jdbc.internal.outbox.OutboxTables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tables of one engine, as migration steps from nothing to the newest version. A released step
 * never changes: changes need a new step. An older program may use newer tables, unless it is older
 * than {@code oldest} allows.
 *
 * @param exists counts the tables that hold the version
 * @param oldest programs whose newest version is lower can't use these tables. A step that only
 *     adds keeps this value; a step that removes what they use raises it, and belongs into a later
 *     release than the step that made it superfluous
 */
public record SqlSchema(String exists, List<List<String>> steps, int oldest) {
  private static final String SCHEMA_TABLE =
      "CREATE TABLE semel_schema (version integer NOT NULL PRIMARY KEY)";

  private static final String STATISTICS_TABLE =
      """
      CREATE TABLE semel_statistics (
        tenant text NOT NULL,
        operation text NOT NULL,
        counter text NOT NULL,
        value bigint NOT NULL,
        PRIMARY KEY (tenant, operation, counter))""";

  /**
   * Text compares by bytes, and times are milliseconds since the epoch. Rows stay in insertion
   * order beside an index of keys: with random keys and rows in key order, a commit wrote several
   * times as many pages.
   */
  public static final SqlSchema SQLITE =
      new SqlSchema(
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'semel_schema'",
          List.of(
              List.of(
                  SCHEMA_TABLE,
                  """
                  CREATE TABLE semel_idempotency (
                    key text NOT NULL PRIMARY KEY,
                    state text NOT NULL,
                    token blob NOT NULL,
                    attempt integer NOT NULL,
                    fingerprint text NOT NULL,
                    request_id text NOT NULL,
                    claimed_at integer NOT NULL,
                    lease_until integer NOT NULL,
                    expires_at integer NOT NULL,
                    ended_at integer,
                    retention integer NOT NULL,
                    payload_type text NOT NULL,
                    payload blob NOT NULL)""",
                  "CREATE INDEX semel_idempotency_expiry ON semel_idempotency (expires_at)",
                  STATISTICS_TABLE),
              new ExtraTables("integer", "text", "text", "text").create(),
              InboxTables.sqlite(),
              OutboxTables.onSqlite(),
              PositionTables.onSqlite(),
              JobTables.onSqlite(),
              WriterTable.onSqlite()),
          6);

  /**
   * BRIN, because every step changes this column and a b-tree would make each update touch the
   * index; the free space in every page lets a completion stay on the page of its claim.
   */
  public static final SqlSchema POSTGRESQL =
      new SqlSchema(
          "SELECT count(*) FROM pg_class WHERE oid = to_regclass('semel_schema')",
          List.of(
              List.of(
                  SCHEMA_TABLE,
                  """
                  CREATE TABLE semel_idempotency (
                    key text COLLATE "C" NOT NULL PRIMARY KEY,
                    state char(1) NOT NULL,
                    token uuid NOT NULL,
                    attempt integer NOT NULL,
                    fingerprint text NOT NULL,
                    request_id text NOT NULL,
                    claimed_at timestamptz NOT NULL,
                    lease_until timestamptz NOT NULL,
                    expires_at timestamptz NOT NULL,
                    ended_at timestamptz,
                    retention interval NOT NULL,
                    payload_type text NOT NULL,
                    payload bytea NOT NULL) WITH (fillfactor = 70)""",
                  "CREATE INDEX semel_idempotency_expiry ON semel_idempotency"
                      + " USING brin (expires_at) WITH (autosummarize = on)",
                  STATISTICS_TABLE),
              new ExtraTables("bigint", "text", "text", "text").create(),
              InboxTables.postgres(),
              OutboxTables.onPostgres(),
              PositionTables.onPostgres(),
              InboxPartitionTables.create(),
              JobTables.onPostgres(),
              WriterTable.onPostgres()),
          7);

  /**
   * Times are UTC, whatever a session's time zone. Text compares by code points, and trailing
   * spaces count. Columns that may be empty may be null, because some {@code sql_mode}s confuse the
   * two. MariaDB commits after each DDL statement, so each must be idempotent in case of a crash.
   */
  public static final SqlSchema MARIADB =
      new SqlSchema(
          """
          SELECT count(*) FROM information_schema.tables
          WHERE table_schema = DATABASE() AND table_name = 'semel_schema'""",
          List.of(
              List.of(
                  mariaDb("semel_schema", "version integer NOT NULL PRIMARY KEY"),
                  mariaDb(
                      "semel_idempotency",
                      """
                      `key` varchar(256) NOT NULL PRIMARY KEY,
                        state char(1) NOT NULL,
                        token binary(16) NOT NULL,
                        attempt integer NOT NULL,
                        fingerprint text,
                        request_id text,
                        claimed_at datetime(6) NOT NULL,
                        lease_until datetime(6) NOT NULL,
                        expires_at datetime(6) NOT NULL,
                        ended_at datetime(6),
                        retention bigint NOT NULL,
                        payload_type text,
                        payload longblob,
                        INDEX semel_idempotency_expiry (expires_at)"""),
                  mariaDb(
                      "semel_statistics",
                      """
                      tenant varchar(64) NOT NULL,
                        operation varchar(64) NOT NULL,
                        counter varchar(64) NOT NULL,
                        value bigint NOT NULL,
                        PRIMARY KEY (tenant, operation, counter)""")),
              new ExtraTables("bigint", "varchar(64)", "varchar(256)", "longtext")
                  .createOnMariaDb(),
              InboxTables.mariaDb(),
              OutboxTables.onMariaDb(),
              PositionTables.onMariaDb(),
              JobTables.onMariaDb(),
              WriterTable.onMariaDb()),
          6);

  public static String mariaDb(String table, String columns) {
    return """
    CREATE TABLE IF NOT EXISTS %s (
      %s)
      ENGINE = InnoDB ROW_FORMAT = DYNAMIC
      CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"""
        .formatted(table, columns);
  }

  /**
   * The version that a database reports for its tables.
   *
   * @param version 0: no tables
   * @param oldest older programs can't use them
   */
  private record Found(int version, int oldest) {}

  public SqlSchema {
    steps = List.copyOf(steps);
    if (oldest < 1 || oldest > steps.size()) {
      throw new IllegalArgumentException("no program can use such tables");
    }
  }

  public int newest() {
    return steps.size();
  }

  /** Describes an open database's version to an operator. */
  public String setUp(Connection connection) throws SQLException {
    int found = found(connection).version();
    return found > newest()
        ? "the tables are of version %d, and this program knows versions up to %d: it works with them, but update it too"
            .formatted(found, newest())
        : "the tables are of version " + found;
  }

  /**
   * All statements from nothing to the newest version, for administrators who create tables by
   * hand.
   */
  public String ddl() {
    return ddl(0);
  }

  /**
   * The statements from a version to the newest, for administrators who upgrade tables by hand.
   *
   * @throws InvalidInput there is no such version
   */
  public String ddl(int from) {
    if (from < 0 || from > newest()) {
      throw new InvalidInput(
          "there is no version %d of the tables: name one from 0, none at all, to %d"
              .formatted(from, newest()));
    }
    if (from == newest()) {
      return "";
    }
    StringBuilder ddl = new StringBuilder();
    steps.subList(from, newest()).stream()
        .flatMap(List::stream)
        .forEach(s -> ddl.append(s).append(";\n"));
    setVersion(from).forEach(s -> ddl.append(s).append(";\n"));
    return ddl.toString();
  }

  /**
   * Whether the tables have at least the version that this program needs.
   *
   * @throws StoreException when this program is too old for them
   */
  public boolean isCurrent(Connection connection) throws SQLException {
    return checked(connection) >= newest();
  }

  /** Fails unless the tables have at least the version that this program needs. */
  public void require(Connection connection) throws SQLException {
    int found = checked(connection);
    if (found == 0) {
      throw new StoreException(
          "the database has no semel tables, and this program needs version %d: create the tables from the store's ddl(), or open it with SchemaSetup.CREATE"
              .formatted(newest()));
    }
    if (found < newest()) {
      throw new StoreException(
          "the database has semel tables of version %d, and this program needs version %d: an upgrade is pending; run the statements of the store's ddl(%d), or open it with SchemaSetup.CREATE"
              .formatted(found, newest(), found));
    }
  }

  /** Runs the missing steps. The caller's transaction keeps other processes from doing so. */
  public void upgrade(Connection connection) throws SQLException {
    int found = checked(connection);
    if (found >= newest()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      for (List<String> step : steps.subList(found, newest())) {
        for (String sql : step) {
          statement.execute(sql);
        }
      }
      for (String sql : setVersion(found)) {
        statement.execute(sql);
      }
    }
  }

  private int checked(Connection connection) throws SQLException {
    Found found = found(connection);
    if (found.oldest() > newest()) {
      throw new StoreException(
          "the database has semel tables of version %d, which need a program that knows version %d, and this one knows versions up to %d: update the program"
              .formatted(found.version(), found.oldest(), newest()));
    }
    return found.version();
  }

  private Found found(Connection connection) throws SQLException {
    if (number(connection, exists) == 0) {
      return new Found(0, 0);
    }
    return new Found(
        number(connection, "SELECT coalesce(max(version), 0) FROM semel_schema"),
        number(connection, "SELECT coalesce(min(version), 0) FROM semel_schema"));
  }

  /**
   * One row holds the version; a second row, where older programs may use the tables, holds the
   * oldest allowed version. The first programs know no column for it: they read the greater value
   * and refuse it.
   */
  private List<String> setVersion(int before) {
    List<String> statements = new ArrayList<>();
    if (before > 0) {
      statements.add("DELETE FROM semel_schema");
    }
    IntStream.of(newest(), oldest)
        .distinct()
        .forEach(v -> statements.add("INSERT INTO semel_schema (version) VALUES (" + v + ")"));
    return statements;
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery(sql)) {
      rs.next();
      return rs.getInt(1);
    }
  }
}
