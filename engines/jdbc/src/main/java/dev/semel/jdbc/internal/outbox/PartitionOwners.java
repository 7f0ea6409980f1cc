package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.PartitionAssignment;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Assigns partitions to relays. Every step is part of a short transaction of the caller. */
final class PartitionOwners {
  /** How long a silent relay's row stays; the relay does not count after its lease. */
  private static final Duration FORGET_RELAY_AFTER = Duration.ofHours(1);

  private static final String SEEN =
      """
      UPDATE semel_relay SET before_millis = seen_millis, before_published = published,
        until_millis = ?, seen_millis = ?, published = ?, duplicates = ?, failed = ?, dead = ?,
        in_flight = ? WHERE relay = ?""";

  private static final String BEGIN =
      """
      INSERT INTO semel_relay (until_millis, seen_millis, published, duplicates, failed, dead,
        in_flight, relay, resting, before_millis, before_published)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)""";

  private static final String FORGET = "DELETE FROM semel_relay WHERE until_millis < ?";
  private static final String END = "DELETE FROM semel_relay WHERE relay = ?";
  private static final String LIVING = "SELECT count(*) FROM semel_relay WHERE until_millis > ?";
  private static final String RESTS = "SELECT resting FROM semel_relay WHERE relay = ?";
  private static final String REST = "UPDATE semel_relay SET resting = ? WHERE relay = ?";

  private static final String EXTEND =
      "UPDATE semel_outbox_partition SET until_millis = ? WHERE owner = ?";

  private static final String MINE = "SELECT part FROM semel_outbox_partition WHERE owner = ?";

  private static final String FREE =
      """
      SELECT part FROM semel_outbox_partition WHERE owner IS NULL OR until_millis <= ?
      ORDER BY part LIMIT ?""";

  private static final String TAKE =
      """
      UPDATE semel_outbox_partition SET owner = ?, until_millis = ?, resting = ? WHERE part = ?""";

  private static final String GIVE =
      "UPDATE semel_outbox_partition SET owner = NULL, until_millis = 0, resting = 0";

  private static final String RING =
      "UPDATE semel_outbox_partition SET resting = ? WHERE owner = ? AND resting <> ?";

  private static final String HAS =
      "SELECT part FROM semel_outbox_partition WHERE part = ? AND owner = ?";

  private final SqlEngine engine;
  private final OutboxDialect sql;

  PartitionOwners(SqlEngine engine, OutboxDialect sql) {
    this.engine = engine;
    this.sql = sql;
  }

  PartitionAssignment heartbeat(
      StatementCache db, String relay, long leaseMillis, RelayCounts counts) throws SQLException {
    long now = engine.nowMillis(db);
    long until = now + leaseMillis;
    live(db, relay, now, until, counts);
    db.update(EXTEND, until, relay);
    // Locks the rows, because another relay may have taken what a snapshot shows as free.
    Set<Integer> mine = new HashSet<>(parts(db, MINE + sql.locking(), relay));
    int relays = db.first(LIVING, rs -> rs.getInt(1), now).orElseThrow();
    int wanted = new PartitionAssignment(relays, mine).share() - mine.size();
    if (wanted > 0) {
      int resting = db.first(RESTS, rs -> rs.getInt(1), relay).orElseThrow();
      for (int part : parts(db, FREE + sql.lockingOthersSkipped(), now, wanted)) {
        db.update(TAKE, relay, until, resting, part);
        mine.add(part);
      }
    }
    return new PartitionAssignment(relays, mine);
  }

  private static void live(
      StatementCache db, String relay, long now, long until, RelayCounts counts)
      throws SQLException {
    Object[] values = {
      until,
      now,
      counts.published(),
      counts.duplicates(),
      counts.failed(),
      counts.dead(),
      counts.inFlight(),
      relay
    };
    if (db.update(SEEN, values) == 0) {
      db.update(BEGIN, values);
      db.update(FORGET, now - FORGET_RELAY_AFTER.toMillis());
    }
  }

  private static List<Integer> parts(StatementCache db, String query, Object... values)
      throws SQLException {
    List<Integer> parts = new ArrayList<>();
    try (ResultSet rs = db.query(query, values)) {
      while (rs.next()) {
        parts.add(rs.getInt(1));
      }
    }
    return parts;
  }

  int release(StatementCache db, String relay, Set<Integer> released) throws SQLException {
    int given = 0;
    for (int part : released.stream().sorted().toList()) {
      given += db.update(GIVE + " WHERE part = ? AND owner = ?", part, relay);
    }
    return given;
  }

  int leave(StatementCache db, String relay) throws SQLException {
    return db.update(GIVE + " WHERE owner = ?", relay) + db.update(END, relay);
  }

  /** Sets the flag for the relay and its partitions; partitions that it takes later inherit it. */
  int rest(StatementCache db, String relay, boolean resting) throws SQLException {
    int flag = resting ? 1 : 0;
    return db.update(REST, flag, relay) + db.update(RING, flag, relay, flag);
  }

  /** Whether the relay owns the partition; no other can take it before the transaction ends. */
  boolean has(StatementCache db, String relay, int part) throws SQLException {
    return db.first(HAS + sql.locking(), rs -> true, part, relay).isPresent();
  }
}
