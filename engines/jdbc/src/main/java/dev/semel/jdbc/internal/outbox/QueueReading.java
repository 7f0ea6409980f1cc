package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.Message;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One read of the queue with a limit on its bytes, whatever the messages' size: small payloads come
 * with their rows, large ones are fetched afterwards. Beyond the limit, the rest of a partition
 * waits for the next read; each partition gives at least its first message.
 */
public final class QueueReading {
  /** The limit for all partitions together. */
  static final int MAX_ROWS = 16_000;

  static final int MAX_SMALL_BYTES = 4 << 10;

  /** The limit for large payloads of all partitions together; one payload may always exceed it. */
  public static final int MAX_LARGE_BYTES = 32 << 20;

  /** The columns of a read, in the order of {@link OutboxRows#queued}. */
  static final String COLUMNS =
      """
      q.place, q.attempts, q.id, q.destination, q.ordering_key, q.type,
      CASE WHEN octet_length(q.payload) <= %d THEN q.payload END AS payload, q.headers,
      octet_length(q.payload) AS bytes"""
          .formatted(MAX_SMALL_BYTES);

  private static final int BYTES = 9;

  private final List<OutboxEntry> queued = new ArrayList<>();
  private final Map<Long, Integer> large = new LinkedHashMap<>();

  static int limit(int wantedEach, int slices) {
    return Math.clamp(wantedEach, 1, Math.max(1, MAX_ROWS / slices));
  }

  void take(ResultSet rs) throws SQLException {
    while (rs.next()) {
      OutboxEntry next = OutboxRows.queued(rs);
      int bytes = rs.getInt(BYTES);
      if (bytes > MAX_SMALL_BYTES) {
        large.put(next.place(), bytes);
      }
      queued.add(next);
    }
  }

  List<OutboxEntry> finish(StatementCache db) throws SQLException {
    if (large.isEmpty()) {
      return queued;
    }
    Map<Long, byte[]> payloads = new HashMap<>();
    for (List<Long> part : QueuePlaces.inParts(affordable())) {
      load(db, part, payloads);
    }
    List<OutboxEntry> complete = new ArrayList<>();
    Set<Integer> cut = new HashSet<>();
    for (OutboxEntry each : queued) {
      byte[] payload = payloads.get(each.place());
      if (large.containsKey(each.place()) && payload == null) {
        cut.add(each.partition()); // later messages of the partition must not overtake it
      }
      if (!cut.contains(each.partition())) {
        complete.add(payload == null ? each : with(payload, each));
      }
    }
    return complete;
  }

  private List<Long> affordable() {
    Map<Integer, Long> spent = new HashMap<>();
    long partitions = large.keySet().stream().map(QueuePlaces::partition).distinct().count();
    List<Long> places = new ArrayList<>();
    large.forEach(
        (place, bytes) -> {
          long sum = spent.merge(QueuePlaces.partition(place), (long) bytes, Long::sum);
          if (sum == bytes || sum <= MAX_LARGE_BYTES / partitions) {
            places.add(place);
          }
        });
    return places;
  }

  private static void load(StatementCache db, List<Long> places, Map<Long, byte[]> payloads)
      throws SQLException {
    String query =
        "SELECT place, payload FROM semel_outbox WHERE place " + QueuePlaces.in(places.size());
    try (ResultSet rs = db.query(query, QueuePlaces.listed(places))) {
      while (rs.next()) {
        payloads.put(rs.getLong(1), rs.getBytes(2));
      }
    }
  }

  private static OutboxEntry with(byte[] payload, OutboxEntry row) {
    Message m = row.message();
    return new OutboxEntry(
        row.partition(),
        row.place(),
        row.attempts(),
        new Message(m.id(), m.destination(), m.orderingKey(), m.type(), payload, m.headers()));
  }
}
