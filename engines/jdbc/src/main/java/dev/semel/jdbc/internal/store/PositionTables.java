package dev.semel.jdbc.internal.store;

import java.util.List;

/**
 * Tables of consumers' positions in logs, and of who reads which partition. Two tables, because a
 * handler's transaction locks the position that it moves, and leases must not wait for it.
 */
final class PositionTables {
  /** A position has a sign in front, because some sessions turn an empty text into null. */
  private static final String POSITION =
      """
      consumer %1$s NOT NULL,
        lane %2$s NOT NULL,
        position %2$s NOT NULL,
        moved_at bigint NOT NULL,
        PRIMARY KEY (consumer, lane)""";

  private static final String PARTITION =
      """
      consumer %1$s NOT NULL,
        lane %2$s NOT NULL,
        member %2$s,
        until_millis bigint NOT NULL,
        PRIMARY KEY (consumer, lane)""";

  /** Members that share the same partitions are grouped by the first partition. */
  private static final String MEMBER =
      """
      consumer %1$s NOT NULL,
        member %2$s NOT NULL,
        first_lane %2$s NOT NULL,
        until_millis bigint NOT NULL,
        PRIMARY KEY (consumer, member)""";

  private PositionTables() {}

  static List<String> onPostgres() {
    String text = "text COLLATE \"C\"";
    String often =
        " WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,"
            + " autovacuum_vacuum_threshold = 1000)";
    return List.of(
        "CREATE TABLE semel_inbox_position (" + POSITION.formatted(text, text) + ")" + often,
        "CREATE TABLE semel_inbox_lane (" + PARTITION.formatted(text, text) + ")" + often,
        "CREATE TABLE semel_inbox_member (" + MEMBER.formatted(text, text) + ")" + often);
  }

  static List<String> onMariaDb() {
    String name = "varchar(64)";
    String text = "varchar(256)";
    return List.of(
        SqlSchema.mariaDb("semel_inbox_position", POSITION.formatted(name, text)),
        SqlSchema.mariaDb("semel_inbox_lane", PARTITION.formatted(name, text)),
        SqlSchema.mariaDb("semel_inbox_member", MEMBER.formatted(name, text)));
  }

  static List<String> onSqlite() {
    return List.of(
        "CREATE TABLE semel_inbox_position (" + POSITION.formatted("text", "text") + ")",
        "CREATE TABLE semel_inbox_lane (" + PARTITION.formatted("text", "text") + ")",
        "CREATE TABLE semel_inbox_member (" + MEMBER.formatted("text", "text") + ")");
  }
}
