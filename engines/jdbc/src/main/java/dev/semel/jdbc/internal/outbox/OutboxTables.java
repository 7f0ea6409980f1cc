package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.outbox.spi.OutboxStore;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The outbox's tables: the queue, dead letters, history, owners of partitions, and relays. Times
 * are milliseconds since the epoch. Empty values are null, because some {@code sql_mode}s confuse
 * the two.
 *
 * <p>The queue has only its primary key as an index, to keep inserts cheap. Its rows change only
 * when a message fails, and those few have a partial index.
 *
 * @param number the type of a large number that may be a key
 * @param id the type of a message's id and ordering key
 * @param name the type of a shorter text
 * @param bytes the type of a payload
 * @param text the type of any other text
 */
public record OutboxTables(String number, String id, String name, String bytes, String text) {
  /** These rows change so often that polls of an empty queue become slow without this. */
  public static final String VACUUM_OFTEN =
      """
       WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 10000,
        toast.autovacuum_vacuum_cost_delay = 0)""";

  private static final String PARTITIONS =
      "INSERT INTO semel_outbox_partition (part, until_millis, resting) VALUES "
          + IntStream.range(0, OutboxStore.PARTITIONS)
              .mapToObj("(%d, 0, 0)"::formatted)
              .collect(Collectors.joining(", "));

  private static final String FAILING =
      "CREATE INDEX semel_outbox_failing ON semel_outbox (retry_millis)"
          + " WHERE retry_millis IS NOT NULL";

  /** No cache, because each session would have a separate one and so break the order. */
  public static List<String> onPostgres() {
    OutboxTables tables = new OutboxTables("bigint", "text COLLATE \"C\"", "text", "bytea", "text");
    return List.of(
        "CREATE SEQUENCE semel_outbox_seq MAXVALUE %d NO CYCLE CACHE 1"
            .formatted(QueuePlaces.PER_PARTITION - 1),
        tables.create("semel_outbox", tables.queue()) + VACUUM_OFTEN,
        FAILING,
        tables.create("semel_outbox_dead", tables.kept()),
        tables.create("semel_outbox_history", tables.kept()),
        "CREATE INDEX semel_outbox_dead_id ON semel_outbox_dead (id)",
        "CREATE INDEX semel_outbox_history_id ON semel_outbox_history (id)",
        "CREATE INDEX semel_outbox_history_since ON semel_outbox_history (since_millis)",
        tables.create("semel_outbox_partition", tables.partition()) + " WITH (fillfactor = 50)",
        PARTITIONS,
        tables.create("semel_relay", tables.relay()) + " WITH (fillfactor = 50)");
  }

  public static List<String> onSqlite() {
    OutboxTables tables = new OutboxTables("integer", "text", "text", "blob", "text");
    return List.of(
        "CREATE TABLE semel_outbox_counter (number integer NOT NULL)",
        "INSERT INTO semel_outbox_counter (number) VALUES (0)",
        tables.create("semel_outbox", tables.queue()),
        FAILING,
        tables.create("semel_outbox_dead", tables.kept()),
        tables.create("semel_outbox_history", tables.kept()),
        "CREATE INDEX semel_outbox_dead_id ON semel_outbox_dead (id)",
        "CREATE INDEX semel_outbox_history_id ON semel_outbox_history (id)",
        "CREATE INDEX semel_outbox_history_since ON semel_outbox_history (since_millis)",
        tables.create("semel_outbox_partition", tables.partition()),
        PARTITIONS,
        tables.create("semel_relay", tables.relay()));
  }

  /**
   * MariaDB commits after each DDL statement, so each must be idempotent. It has no partial
   * indexes; the server shares the sequence's cache among sessions.
   */
  public static List<String> onMariaDb() {
    OutboxTables tables =
        new OutboxTables("bigint", "varchar(256)", "varchar(255)", "longblob", "mediumtext");
    return List.of(
        "CREATE SEQUENCE IF NOT EXISTS semel_outbox_seq MAXVALUE %d NOCYCLE CACHE 100"
            .formatted(QueuePlaces.PER_PARTITION - 1),
        SqlSchema.mariaDb(
            "semel_outbox", tables.queue() + ",\n  INDEX semel_outbox_failing (retry_millis)"),
        SqlSchema.mariaDb(
            "semel_outbox_dead", tables.kept() + ",\n  INDEX semel_outbox_dead_id (id)"),
        SqlSchema.mariaDb(
            "semel_outbox_history",
            tables.kept()
                + ",\n  INDEX semel_outbox_history_id (id)"
                + ",\n  INDEX semel_outbox_history_since (since_millis)"),
        SqlSchema.mariaDb("semel_outbox_partition", tables.partition()),
        PARTITIONS + " ON DUPLICATE KEY UPDATE part = part",
        SqlSchema.mariaDb("semel_relay", tables.relay()));
  }

  private String create(String table, String columns) {
    return "CREATE TABLE " + table + " (\n  " + columns + ")";
  }

  private String queue() {
    return """
    place %1$s NOT NULL PRIMARY KEY,
      created_millis bigint NOT NULL,
      retry_millis bigint,
      attempts integer NOT NULL,
      id %2$s NOT NULL,
      destination %3$s NOT NULL,
      ordering_key %2$s,
      type %3$s,
      payload %4$s,
      headers %5$s,
      reason %5$s"""
        .formatted(number, id, name, bytes, text);
  }

  private String kept() {
    return queue() + ",\n  since_millis bigint NOT NULL";
  }

  private String partition() {
    return """
    part %s NOT NULL PRIMARY KEY,
      owner %s,
      until_millis bigint NOT NULL,
      resting integer NOT NULL"""
        .formatted(number, name);
  }

  private String relay() {
    return """
    relay %s NOT NULL PRIMARY KEY,
      until_millis bigint NOT NULL,
      seen_millis bigint NOT NULL,
      published bigint NOT NULL,
      duplicates bigint NOT NULL,
      failed bigint NOT NULL,
      dead bigint NOT NULL,
      in_flight integer NOT NULL,
      resting integer NOT NULL,
      before_millis bigint NOT NULL,
      before_published bigint NOT NULL"""
        .formatted(name);
  }
}
