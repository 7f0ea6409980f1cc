package dev.semel.jdbc.internal.inbox;

import dev.semel.jdbc.internal.store.StatementCache;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An inbox on PostgreSQL that is partitioned by its ids: a UUIDv7 begins with the time it was made,
 * so a range of ids is a range of time. Whatever has no partition of its own is in the default one:
 * ids of other kinds, of times that are not prepared, and of times that were dropped.
 */
public final class InboxPartitionTables {
  public static final String DEFAULT = "semel_inbox_default";

  /** As {@code UUID.toString} writes them; others are never dropped with their neighbours. */
  public static final String UUID7 =
      "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";

  private static final Pattern IS_UUID7 = Pattern.compile(UUID7);
  private static final Pattern NAME = Pattern.compile("semel_inbox_(\\d{10})");
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyyMMddHH").withZone(ZoneOffset.UTC);

  private InboxPartitionTables() {}

  /**
   * How the inbox is partitioned, if it is; in a table that every inbox has, so that programs which
   * do not know it refuse the database.
   */
  public static List<String> create() {
    return List.of(
        """
        CREATE TABLE semel_inbox_partitioning (
          one integer NOT NULL PRIMARY KEY CHECK (one = 1),
          width bigint NOT NULL,
          horizon bigint NOT NULL)""");
  }

  /** The table that is there becomes the default partition, with its rows and indexes. */
  public static List<String> convert(Duration width) {
    return List.of(
        "ALTER TABLE semel_inbox RENAME TO semel_inbox_default",
        "ALTER TABLE semel_inbox_default"
            + " RENAME CONSTRAINT semel_inbox_pkey TO semel_inbox_default_pkey",
        "ALTER INDEX semel_inbox_seen RENAME TO semel_inbox_default_seen",
        "CREATE TABLE semel_inbox (LIKE semel_inbox_default,"
            + " CONSTRAINT semel_inbox_pkey PRIMARY KEY (consumer, id)) PARTITION BY RANGE (id)",
        "CREATE INDEX semel_inbox_seen ON semel_inbox"
            + " USING brin (seen_at) WITH (autosummarize = on)",
        "ALTER TABLE semel_inbox ATTACH PARTITION semel_inbox_default DEFAULT",
        "INSERT INTO semel_inbox_partitioning (one, width, horizon) VALUES (1, %d, 0)"
            .formatted(width.toMillis()));
  }

  static boolean isUuid7(String id) {
    return IS_UUID7.matcher(id).matches();
  }

  /** No id of this time or a later one is less, and every id of an earlier time is. */
  public static String bound(long epochMillis) {
    String hex = HexFormat.of().toHexDigits(epochMillis, 12);
    return hex.substring(0, 8) + "-" + hex.substring(8);
  }

  public static String name(long start) {
    return "semel_inbox_" + START.format(Instant.ofEpochMilli(start));
  }

  /** When its ids begin; empty: it is none of ours, or the default one. */
  public static Optional<Long> start(String name) {
    Matcher digits = NAME.matcher(name);
    return digits.matches()
        ? Optional.of(
            START
                .parse(digits.group(1), LocalDateTime::from)
                .toInstant(ZoneOffset.UTC)
                .toEpochMilli())
        : Optional.empty();
  }

  /** When the ids of each partition begin, but for the default one. */
  public static Set<Long> starts(StatementCache db) throws SQLException {
    Set<Long> starts = new TreeSet<>();
    db.all(
            """
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass('semel_inbox')::oid""",
            rs -> rs.getString(1))
        .forEach(name -> start(name).ifPresent(starts::add));
    return starts;
  }
}
