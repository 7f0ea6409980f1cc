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
 * An inbox on PostgreSQL that is partitioned by its ids: a UUIDv7 begins with its creation time, so
 * a range of ids is a range of time. The default partition holds all other ids: those of other
 * kinds, those from times without a partition yet, and those from dropped times.
 */
public final class InboxPartitionTables {
  public static final String DEFAULT = "semel_inbox_default";

  /** Ids in the form of {@code UUID.toString}; ids in other forms are never dropped. */
  public static final String UUID7 =
      "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";

  private static final Pattern IS_UUID7 = Pattern.compile(UUID7);
  private static final Pattern NAME = Pattern.compile("semel_inbox_(\\d{10})");
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyyMMddHH").withZone(ZoneOffset.UTC);

  private InboxPartitionTables() {}

  /**
   * Stores how the inbox is partitioned. Every inbox has this table, so that programs which do not
   * know it refuse the database.
   */
  public static List<String> create() {
    return List.of(
        """
        CREATE TABLE semel_inbox_partitioning (
          one integer NOT NULL PRIMARY KEY CHECK (one = 1),
          width bigint NOT NULL,
          horizon bigint NOT NULL)""");
  }

  /** Turns the existing table into the default partition, with its rows and indexes. */
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

  /** The lower bound of the ids from this time on; all earlier ids are less. */
  public static String bound(long epochMillis) {
    String hex = HexFormat.of().toHexDigits(epochMillis, 12);
    return hex.substring(0, 8) + "-" + hex.substring(8);
  }

  public static String name(long start) {
    return "semel_inbox_" + START.format(Instant.ofEpochMilli(start));
  }

  /** The start of a partition's time; empty: the default partition, or not ours. */
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

  /** The start of each partition's time, without the default partition. */
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
