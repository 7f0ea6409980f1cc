package dev.semel.jdbc;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.outbox.Queued;
import dev.semel.outbox.Slice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** What engines without arrays have in common: lists of places, and sets as JSON. */
final class ListedOutbox {
  private final String read;
  private final String readWithoutHeld;
  private final String now;

  /**
   * Knows how to read and to delete.
   *
   * @param unlessHeld leaves out the keys and the places of two JSON arrays
   * @param now the clock, or a parameter for it
   */
  ListedOutbox(String unlessHeld, String now) {
    String select = "SELECT " + QueueReading.COLUMNS + " FROM semel_outbox q";
    String range = " WHERE q.place > ? AND q.place < ?";
    String order = " ORDER BY q.place LIMIT ?";
    this.read = select + range + order;
    this.readWithoutHeld = select + range + " AND " + unlessHeld + order;
    this.now = now;
  }

  List<Queued> read(Statements db, List<Slice> slices, int limitEach) throws SQLException {
    QueueReading reading = new QueueReading();
    for (Slice slice : slices) {
      try (ResultSet rs = query(db, slice, limitEach)) {
        reading.take(rs);
      }
    }
    return reading.finish(db);
  }

  private ResultSet query(Statements db, Slice slice, int limitEach) throws SQLException {
    long low = Math.max(slice.after(), Places.base(slice.partition()));
    long high = Places.base(slice.partition() + 1);
    return slice.heldKeys().isEmpty() && slice.heldPlaces().isEmpty()
        ? db.query(read, low, high, limitEach)
        : db.query(
            readWithoutHeld,
            low,
            high,
            json(slice.heldKeys(), JsonValue::of),
            json(slice.heldPlaces(), JsonValue::of),
            limitEach);
  }

  private static <T> String json(Collection<T> items, Function<T, JsonValue> value) {
    return Json.write(new JsonArray(items.stream().map(value).toList()));
  }

  void delete(Statements db, List<Long> places) throws SQLException {
    for (List<Long> part : Places.inParts(places)) {
      db.update(
          "DELETE FROM semel_outbox WHERE place " + Places.in(part.size()), Places.listed(part));
    }
  }

  /** In the transaction that the caller has begun. */
  void keep(Statements db, List<Long> places, Object... clock) throws SQLException {
    for (List<Long> part : Places.inParts(places)) {
      List<Object> values = new ArrayList<>(List.of(clock));
      values.addAll(List.of(Places.listed(part)));
      db.update(
          "INSERT INTO semel_outbox_history (%1$s, since_millis) SELECT %1$s, %2$s FROM semel_outbox WHERE place %3$s"
              .formatted(OutboxRows.ALL, now, Places.in(part.size())),
          values.toArray());
    }
    delete(db, places);
  }
}
