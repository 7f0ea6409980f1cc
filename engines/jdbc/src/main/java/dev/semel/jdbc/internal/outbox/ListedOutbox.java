package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.ReadRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** SQL for engines without arrays: lists of places, and sets as JSON. */
final class ListedOutbox {
  private final String unlessHeld;
  private final String now;

  /**
   * Reads and deletes.
   *
   * @param unlessHeld excludes the keys and the places in two JSON arrays
   * @param now the clock, or a parameter for it
   */
  ListedOutbox(String unlessHeld, String now) {
    this.unlessHeld = " AND " + unlessHeld;
    this.now = now;
  }

  List<OutboxEntry> read(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException {
    QueueReading reading = new QueueReading();
    for (ReadRange slice : slices) {
      try (ResultSet rs = query(db, QueueReading.COLUMNS, slice, end(slice), limitEach)) {
        reading.take(rs);
      }
    }
    return reading.finish(db);
  }

  /**
   * Reads twice, because a statement may see a transaction but miss an earlier one that it had
   * waited for; the next statement sees it. Messages behind such a late one wait for the next read.
   */
  List<OutboxEntry> readTwice(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException {
    List<OutboxEntry> seen = read(db, slices, limitEach);
    Map<Integer, Long> lasts = new HashMap<>();
    Set<Long> places = new HashSet<>();
    for (OutboxEntry each : seen) {
      lasts.put(each.partition(), each.place());
      places.add(each.place());
    }
    Map<Integer, Long> late = new HashMap<>();
    for (ReadRange slice : slices) {
      Long last = lasts.get(slice.partition());
      if (last != null) {
        firstBeside(db, slice, last, limitEach, places)
            .ifPresent(place -> late.put(slice.partition(), place));
      }
    }
    return late.isEmpty()
        ? seen
        : seen.stream()
            .filter(each -> each.place() < late.getOrDefault(each.partition(), Long.MAX_VALUE))
            .toList();
  }

  private Optional<Long> firstBeside(
      StatementCache db, ReadRange slice, long last, int limitEach, Set<Long> places)
      throws SQLException {
    try (ResultSet rs = query(db, "q.place", slice, last, limitEach)) {
      while (rs.next()) {
        if (!places.contains(rs.getLong(1))) {
          return Optional.of(rs.getLong(1));
        }
      }
    }
    return Optional.empty();
  }

  private static long end(ReadRange slice) {
    return QueuePlaces.base(slice.partition() + 1);
  }

  private ResultSet query(
      StatementCache db, String columns, ReadRange slice, long before, int limitEach)
      throws SQLException {
    long after = Math.max(slice.after(), QueuePlaces.base(slice.partition()));
    boolean nothingHeld = slice.heldKeys().isEmpty() && slice.heldPlaces().isEmpty();
    String sql =
        "SELECT %s FROM semel_outbox q WHERE q.place > ? AND q.place < ?%s ORDER BY q.place LIMIT ?"
            .formatted(columns, nothingHeld ? "" : unlessHeld);
    return nothingHeld
        ? db.query(sql, after, before, limitEach)
        : db.query(
            sql,
            after,
            before,
            json(slice.heldKeys(), JsonValue::of),
            json(slice.heldPlaces(), JsonValue::of),
            limitEach);
  }

  private static <T> String json(Collection<T> items, Function<T, JsonValue> value) {
    return Json.write(new JsonArray(items.stream().map(value).toList()));
  }

  void delete(StatementCache db, List<Long> places) throws SQLException {
    for (List<Long> part : QueuePlaces.inParts(places)) {
      db.update(
          "DELETE FROM semel_outbox WHERE place " + QueuePlaces.in(part.size()),
          QueuePlaces.listed(part));
    }
  }

  /** Runs in the caller's transaction. */
  void keep(StatementCache db, List<Long> places, Object... clock) throws SQLException {
    for (List<Long> part : QueuePlaces.inParts(places)) {
      List<Object> values = new ArrayList<>(List.of(clock));
      values.addAll(List.of(QueuePlaces.listed(part)));
      db.update(
          "INSERT INTO semel_outbox_history (%1$s, since_millis) SELECT %1$s, %2$s FROM semel_outbox WHERE place %3$s"
              .formatted(OutboxRows.ALL, now, QueuePlaces.in(part.size())),
          values.toArray());
    }
    delete(db, places);
  }
}
