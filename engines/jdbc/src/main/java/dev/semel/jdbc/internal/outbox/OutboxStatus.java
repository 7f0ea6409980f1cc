package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxOperations.DestinationStatus;
import dev.semel.outbox.spi.OutboxOperations.RelayStatus;
import dev.semel.outbox.spi.OutboxOperations.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the outbox's status, on any engine. */
final class OutboxStatus {
  /** The most destinations that a status lists, those with the most messages first. */
  static final int MAX_DESTINATIONS = 100;

  private static final String TOTALS =
      "SELECT count(*), count(retry_millis), min(created_millis) FROM semel_outbox";

  private static final String COUNT = "SELECT count(*) FROM ";

  private static final String BY_DESTINATION =
      """
      SELECT destination, count(*), min(created_millis) FROM %s
      GROUP BY destination ORDER BY count(*) DESC LIMIT\s"""
          + MAX_DESTINATIONS;

  private static final String RELAYS =
      """
      SELECT r.relay, r.published, r.duplicates, r.failed, r.dead, r.in_flight, r.seen_millis,
        r.before_published, r.before_millis,
        (SELECT count(*) FROM semel_outbox_partition p WHERE p.owner = r.relay)
      FROM semel_relay r WHERE r.until_millis > ? ORDER BY r.relay""";

  private OutboxStatus() {}

  static Status read(StatementCache db, long now) throws SQLException {
    List<DestinationStatus> destinations = destinations(db, now);
    long dead = count(db, OutboxTable.DEAD);
    long kept = count(db, OutboxTable.PUBLISHED);
    List<RelayStatus> relays = relays(db, now);
    return db.first(
            TOTALS,
            rs ->
                new Status(
                    rs.getLong(1),
                    rs.getLong(2),
                    dead,
                    kept,
                    rs.getLong(1) == 0 ? Optional.empty() : age(now, rs.getLong(3)),
                    destinations,
                    relays))
        .orElseThrow();
  }

  private static List<DestinationStatus> destinations(StatementCache db, long now)
      throws SQLException {
    Map<String, DestinationStatus> destinations = new HashMap<>();
    try (ResultSet rs = db.query(BY_DESTINATION.formatted(OutboxTable.PENDING.table()))) {
      while (rs.next()) {
        String name = rs.getString(1);
        destinations.put(
            name, new DestinationStatus(name, rs.getLong(2), 0, age(now, rs.getLong(3))));
      }
    }
    try (ResultSet rs = db.query(BY_DESTINATION.formatted(OutboxTable.DEAD.table()))) {
      while (rs.next()) {
        String name = rs.getString(1);
        DestinationStatus known =
            destinations.getOrDefault(name, new DestinationStatus(name, 0, 0, Optional.empty()));
        destinations.put(
            name, new DestinationStatus(name, known.pending(), rs.getLong(2), known.oldest()));
      }
    }
    return destinations.values().stream()
        .sorted(
            Comparator.comparingLong((DestinationStatus d) -> -d.pending() - d.dead())
                .thenComparing(DestinationStatus::destination))
        .limit(MAX_DESTINATIONS)
        .toList();
  }

  private static long count(StatementCache db, OutboxTable table) throws SQLException {
    return db.first(COUNT + table.table(), rs -> rs.getLong(1)).orElseThrow();
  }

  private static Optional<Duration> age(long now, long then) {
    return Optional.of(Duration.ofMillis(Math.max(0, now - then)));
  }

  private static List<RelayStatus> relays(StatementCache db, long now) throws SQLException {
    List<RelayStatus> relays = new ArrayList<>();
    try (ResultSet rs = db.query(RELAYS, now)) {
      while (rs.next()) {
        long seen = rs.getLong(7);
        long before = rs.getLong(9);
        boolean twice = before > 0 && seen > before;
        double perSecond = twice ? (rs.getLong(2) - rs.getLong(8)) * 1000.0 / (seen - before) : 0.0;
        relays.add(
            new RelayStatus(
                rs.getString(1),
                rs.getInt(10),
                new RelayCounts(
                    rs.getLong(2), rs.getLong(3), rs.getLong(4), rs.getLong(5), rs.getInt(6)),
                perSecond,
                Duration.ofMillis(Math.max(0, now - seen))));
      }
    }
    return relays;
  }
}
