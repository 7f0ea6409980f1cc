package dev.semel.jdbc.internal.jobs;

import dev.semel.jdbc.internal.outbox.OutboxTables;
import dev.semel.jdbc.internal.store.SqlSchema;
import java.util.List;

/**
 * Job tables: one row per key, from when the job is enqueued until it is deleted. Times are
 * milliseconds since the epoch on the deciding clock. Empty values are null, because some {@code
 * sql_mode}s can't distinguish the two.
 *
 * <p>{@code at_millis} is the next moment at which time changes a row: it becomes due, its lease
 * ends, or its retention ends. So one index serves all these searches, and each row is in it once.
 *
 * @param name the type of a queue's and a tenant's name
 * @param id the type of an id
 * @param token the type of a token
 * @param bytes the type of a payload
 * @param text the type of any other text
 */
public record JobTables(String name, String id, String token, String bytes, String text) {
  /**
   * The sequence gives out this many places at a time: one call gets consecutive places in its
   * order.
   */
  static final int PLACES_AT_ONCE = 1000;

  private static final String KEY = "UNIQUE (queue, tenant, id)";

  private static final String NEXT_COLUMNS = "(queue, state, priority, at_millis, place)";

  private static final String NEXT = "CREATE INDEX semel_job_next ON semel_job " + NEXT_COLUMNS;

  /** Dead letters are few among the ended jobs, and operators look for them. */
  private static final String DEAD =
      "CREATE INDEX semel_job_dead ON semel_job (queue, tenant, id) WHERE " + JobRows.IS_DEAD;

  /** PostgreSQL finds locked rows by their physical location, so places need no index. */
  public static List<String> onPostgres() {
    JobTables tables =
        new JobTables("text COLLATE \"C\"", "text COLLATE \"C\"", "uuid", "bytea", "text");
    return List.of(
        "CREATE SEQUENCE semel_job_seq INCREMENT BY %d NO CYCLE CACHE 1".formatted(PLACES_AT_ONCE),
        "CREATE TABLE semel_job (\n  place bigint NOT NULL,\n  "
            + tables.columns()
            + ",\n  PRIMARY KEY (queue, tenant, id))"
            + OutboxTables.VACUUM_OFTEN,
        NEXT,
        DEAD);
  }

  public static List<String> onSqlite() {
    JobTables tables = new JobTables("text", "text", "blob", "blob", "text");
    return List.of(
        "CREATE TABLE semel_job (\n  place integer NOT NULL PRIMARY KEY,\n  "
            + tables.columns()
            + ",\n  "
            + KEY
            + ")",
        NEXT,
        DEAD);
  }

  public static List<String> onMariaDb() {
    JobTables tables =
        new JobTables("varchar(64)", "varchar(256)", "binary(16)", "longblob", "mediumtext");
    return List.of(
        "CREATE SEQUENCE IF NOT EXISTS semel_job_seq INCREMENT BY %d NOCYCLE CACHE 100"
            .formatted(PLACES_AT_ONCE),
        SqlSchema.mariaDb(
            "semel_job",
            "place bigint NOT NULL PRIMARY KEY,\n  "
                + tables.columns()
                + ",\n  "
                + KEY
                + ",\n  INDEX semel_job_next "
                + NEXT_COLUMNS));
  }

  private String columns() {
    return """
    queue %1$s NOT NULL,
      tenant %1$s NOT NULL,
      id %2$s NOT NULL,
      job_id %2$s NOT NULL,
      state char(1) NOT NULL,
      priority integer NOT NULL,
      at_millis bigint NOT NULL,
      due_millis bigint NOT NULL,
      enqueued_millis bigint NOT NULL,
      started_millis bigint,
      ended_millis bigint,
      delay_millis bigint NOT NULL,
      retention_millis bigint NOT NULL,
      attempts integer NOT NULL,
      lost integer NOT NULL,
      token %3$s,
      fingerprint %5$s,
      headers %5$s,
      failure %5$s,
      payload %4$s"""
        .formatted(name, id, token, bytes, text);
  }
}
