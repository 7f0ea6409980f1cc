package dev.semel.redis.internal.streams;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.redis.internal.RedisLink;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts messages to stream entries and back: always the same first fields, which Redis stores
 * once for many entries, and one field per header.
 */
public final class StreamWire {
  public static final String ID = "id";
  static final String KEY = "key";
  static final String TYPE = "type";
  static final String PAYLOAD = "payload";

  /** Prefixes header names, which might otherwise clash with our fields. */
  static final String HEADER = "h:";

  private static final int HASH_DIGITS = 12;

  private StreamWire() {}

  /** Adds {@link StreamScript#APPEND}'s arguments for a message, without its id. */
  static void addParts(Message message, List<byte[]> to) {
    to.add(bytes(message.orderingKey()));
    to.add(bytes(message.type()));
    to.add(message.payload());
    to.add(RedisLink.ascii(2L * message.headers().size()));
    message
        .headers()
        .forEach(
            (name, value) -> {
              to.add(bytes(HEADER + name));
              to.add(bytes(value));
            });
  }

  /**
   * Converts any entry, because one that failed would block its partition for ever. An entry of
   * another program may lack our fields; its position is then the id.
   */
  static Message message(StreamPartition partition, String entry, List<?> parts) {
    String id = otherId(partition, entry);
    String key = "";
    String type = "";
    byte[] payload = new byte[0];
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 0; i + 1 < parts.size(); i += 2) {
      String name = text((byte[]) parts.get(i));
      byte[] value = (byte[]) parts.get(i + 1);
      switch (name) {
        case ID -> id = text(value);
        case KEY -> key = text(value);
        case TYPE -> type = text(value);
        case PAYLOAD -> payload = value;
        default ->
            headers.put(
                name.startsWith(HEADER) ? name.substring(HEADER.length()) : name, text(value));
      }
    }
    try {
      return new Message(id, partition.destination(), key, type, payload, headers);
    } catch (InvalidInput e) {
      return new Message(
          otherId(partition, entry),
          partition.destination(),
          "",
          "",
          payload,
          Map.of()); // a field of another program
    }
  }

  private static String otherId(StreamPartition partition, String entry) {
    String hash = Ids.sha256Hex(bytes(partition.destination()));
    return hash.substring(0, HASH_DIGITS) + "/" + partition.number() + ":" + entry;
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
