package dev.semel.jdbc.internal.store;

import java.util.List;

/**
 * The last batch of counts from each process, so that a batch whose answer was lost is not counted
 * twice.
 */
final class WriterTable {
  private static final String INDEX = "semel_writer_minute";

  private static final String COLUMNS =
      """
      writer %s NOT NULL PRIMARY KEY,
        number bigint NOT NULL,
        at_minute bigint NOT NULL""";

  private WriterTable() {}

  static List<String> onPostgres() {
    return onSqlite();
  }

  static List<String> onSqlite() {
    return List.of(
        "CREATE TABLE semel_writer (" + COLUMNS.formatted("text") + ")",
        "CREATE INDEX " + INDEX + " ON semel_writer (at_minute)");
  }

  static List<String> onMariaDb() {
    return List.of(
        SqlSchema.mariaDb(
            "semel_writer",
            COLUMNS.formatted("varchar(64)") + ",\n  INDEX " + INDEX + " (at_minute)"));
  }
}
