package dev.semel.jdbc.internal.inbox;

import dev.semel.inbox.spi.InboxOperations.Entry;
import dev.semel.inbox.spi.InboxOperations.State;
import dev.semel.jdbc.internal.outbox.OutboxRows;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.transport.Message;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts rows of {@code semel_inbox_message} and {@code semel_inbox_dead} in both directions. */
public final class StoredMessages {
  /** The columns of a message; every reader selects these first. */
  static final String MESSAGE = "id, destination, ordering_key, type, payload, headers";

  private static final String CONTENT = "consumer, " + MESSAGE + ", received_at, attempts, reason";

  static final String LISTED =
      "place, id, destination, ordering_key, type, coalesce(octet_length(payload), 0), attempts, ";

  private StoredMessages() {}

  public static String insert(String clock) {
    return """
    INSERT INTO semel_inbox_message (consumer, %s, received_at, due_at, attempts, owner,
      lease_until)
    VALUES (?, ?, ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''), %s + ?, %s + ?, 0, 0, 0)"""
        .formatted(MESSAGE, clock, clock);
  }

  public static Object[] values(String consumer, Message message, long offset) {
    return new Object[] {
      consumer,
      message.id(),
      message.destination(),
      message.orderingKey(),
      message.type(),
      message.payload(),
      OutboxRows.headers(message.headers()),
      offset,
      offset
    };
  }

  /** Moves a message to the dead letters, if its owner still has it. */
  static String bury(String clock) {
    return """
    INSERT INTO semel_inbox_dead (place, consumer, %1$s, received_at, attempts, reason, died_at)
    SELECT place, consumer, %1$s, received_at, attempts, ?, %2$s + ? FROM semel_inbox_message
    WHERE place = ? AND owner = ?"""
        .formatted(MESSAGE, clock);
  }

  /** Moves a dead letter to the end of the queue, as a new message. */
  static String revive(String clock) {
    return """
    INSERT INTO semel_inbox_message (%1$s, due_at, owner, lease_until)
    SELECT consumer, %2$s, received_at, 0, NULL, %3$s + ?, 0, 0 FROM semel_inbox_dead
    WHERE place = ?"""
        .formatted(CONTENT, MESSAGE, clock);
  }

  /** Frees a message from its owner, and lets it run as if it were new. */
  static String free(String clock) {
    return """
    UPDATE semel_inbox_message SET owner = 0, lease_until = 0, attempts = 0, due_at = %s + ?
    WHERE consumer = ? AND id = ?"""
        .formatted(clock);
  }

  /** Reads the columns {@link #MESSAGE}, which begin there. */
  static Message message(ResultSet rs, int first) throws SQLException {
    byte[] payload = rs.getBytes(first + 4);
    return new Message(
        rs.getString(first),
        rs.getString(first + 1),
        RecordRows.text(rs, first + 2),
        RecordRows.text(rs, first + 3),
        payload == null ? new byte[0] : payload,
        headers(RecordRows.text(rs, first + 5)));
  }

  private static Map<String, String> headers(String text) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!text.isEmpty() && Json.parse(text) instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        if (member.getValue() instanceof JsonString value) {
          headers.put(member.getKey(), value.text());
        }
      }
    }
    return headers;
  }

  /** Reads the columns {@link #LISTED}, a time, and the reason. */
  static Entry entry(ResultSet rs, State state) throws SQLException {
    return new Entry(
        state,
        rs.getString(2),
        rs.getString(3),
        RecordRows.text(rs, 4),
        RecordRows.text(rs, 5),
        rs.getInt(6),
        rs.getInt(7),
        Instant.ofEpochMilli(rs.getLong(8)),
        RecordRows.text(rs, 9));
  }
}
