package dev.semel.jdbc.internal.outbox;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.Message;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts messages to rows and back, for every engine. */
public final class OutboxRows {
  /** The columns of a message, as it is inserted, moved and read. */
  static final String MESSAGE = "id, destination, ordering_key, type, payload, headers";

  /** All columns of the queue. */
  static final String ALL =
      "place, attempts, " + MESSAGE + ", created_millis, retry_millis, reason";

  private OutboxRows() {}

  static OutboxEntry queued(ResultSet rs) throws SQLException {
    long place = rs.getLong(1);
    byte[] payload = rs.getBytes(7);
    String id = rs.getString(3);
    String destination = rs.getString(4);
    try {
      Message message =
          new Message(
              id,
              destination,
              RecordRows.text(rs, 5),
              RecordRows.text(rs, 6),
              payload == null ? new byte[0] : payload,
              headers(RecordRows.text(rs, 8)));
      return new OutboxEntry(QueuePlaces.partition(place), place, rs.getInt(2), message);
    } catch (InvalidInput e) {
      throw new StoreException(
          "the row of semel_outbox with place %d was not written by this program: repair or delete it (%s)"
              .formatted(place, e.getMessage()),
          e);
    }
  }

  /** Parses the text of {@link #headers(Map)}. */
  public static Map<String, String> headers(String json) {
    if (json.isEmpty()) {
      return Map.of();
    }
    if (!(Json.parse(json) instanceof JsonObject object)) {
      throw new InvalidInput("the headers are no JSON object");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      if (!(member.getValue() instanceof JsonString value)) {
        throw new InvalidInput("a header is no JSON string");
      }
      headers.put(member.getKey(), value.text());
    }
    return headers;
  }

  /** The headers as JSON; an empty text without headers. */
  public static String headers(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return "";
    }
    JsonObjectBuilder members = Json.object();
    headers.forEach(members::with);
    return members.write();
  }

  static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
