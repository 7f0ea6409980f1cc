package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.transport.Message;
import io.nats.client.impl.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to NATS's form and back: the id where the broker looks for it, the rest in
 * headers. NATS's header values hold only ASCII and lose outer blanks, so other characters are
 * written as {@code %} and two digits. A message without our version header came from another
 * program, and is read as it is.
 */
final class NatsMessages {
  static final String MESSAGE_ID = "Nats-Msg-Id";
  static final String EXPECTED_STREAM = "Nats-Expected-Stream";

  /** The last sequence of the message's own subject. */
  static final String EXPECTED_LAST = "Nats-Expected-Last-Subject-Sequence";

  static final String VERSION = "Semel-Version";
  static final String ORDERING_KEY = "Semel-Ordering-Key";
  static final String TYPE = "Semel-Type";

  /** Prefixes header names that would mean something to the broker or to us. */
  static final String PREFIX = "Semel-Header-";

  private NatsMessages() {}

  static Headers headers(Message message, String stream) {
    Headers headers = new Headers();
    headers.put(MESSAGE_ID, encode(message.id()));
    headers.put(EXPECTED_STREAM, stream);
    headers.put(VERSION, "1");
    if (message.ordered()) {
      headers.put(ORDERING_KEY, encode(message.orderingKey()));
    }
    if (!message.type().isEmpty()) {
      headers.put(TYPE, encode(message.type()));
    }
    message
        .headers()
        .forEach(
            (name, value) -> headers.put(reserved(name) ? PREFIX + name : name, encode(value)));
    return headers;
  }

  private static boolean reserved(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith("nats-")
        || lower.startsWith(PREFIX.toLowerCase(Locale.ROOT))
        || lower.equals(VERSION.toLowerCase(Locale.ROOT))
        || lower.equals(ORDERING_KEY.toLowerCase(Locale.ROOT))
        || lower.equals(TYPE.toLowerCase(Locale.ROOT));
  }

  /**
   * Converts any NATS message, because one that failed would block its partition for ever.
   *
   * @param otherId for a message without an id
   */
  static Message message(
      String destination, @Nullable Headers headers, byte[] payload, String otherId) {
    boolean ours = headers != null && headers.containsKey(VERSION);
    Message message = new Message(otherId, destination, "", "", payload, Map.of());
    if (headers == null) {
      return message;
    }
    message = orElse(message, () -> withId(headers, otherId, destination, payload, ours));
    Map<String, String> more = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      String name = header.getKey();
      String value = decode(String.join(",", header.getValue()), ours);
      Message last = message;
      switch (name) {
        case ORDERING_KEY -> message = orElse(last, () -> last.withOrderingKey(value));
        case TYPE -> message = orElse(last, () -> last.withType(value));
        case VERSION -> {}
        default -> {
          if (name.startsWith(PREFIX)) {
            more.put(name.substring(PREFIX.length()), value);
          } else if (!reserved(name)) {
            more.put(name, value);
          }
        }
      }
    }
    for (Map.Entry<String, String> header : more.entrySet()) {
      Message last = message;
      message = orElse(last, () -> last.withHeader(header.getKey(), header.getValue()));
    }
    return message;
  }

  private static Message withId(
      Headers headers, String otherId, String destination, byte[] payload, boolean ours) {
    String id = headers.getFirst(MESSAGE_ID);
    return new Message(
        id == null ? otherId : decode(id, ours), destination, "", "", payload, Map.of());
  }

  private interface Change {
    Message make();
  }

  /** Leaves a part out where another program's value does not fit into our message. */
  private static Message orElse(Message unchanged, Change change) {
    try {
      return change.make();
    } catch (InvalidInput e) {
      return unchanged;
    }
  }

  static String encode(String text) {
    int length = text.length();
    boolean plain = true;
    for (int i = 0; i < length && plain; i++) {
      plain = asIs(text.charAt(i), i == 0 || i == length - 1);
    }
    if (plain) {
      return text;
    }
    StringBuilder out = new StringBuilder(length + 16);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (asIs((char) (bytes[i] & 0xFF), i == 0 || i == bytes.length - 1)) {
        out.append((char) bytes[i]);
      } else {
        out.append("%%%02X".formatted(bytes[i] & 0xFF));
      }
    }
    return out.toString();
  }

  private static boolean asIs(char c, boolean atAnEnd) {
    return (c > ' ' && c <= '~' && c != '%') || (c == ' ' && !atAnEnd);
  }

  static String decode(String text, boolean ours) {
    if (!ours || text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int value = c == '%' && i + 2 < text.length() ? hex(text, i + 1) : -1;
      if (value >= 0) {
        bytes.write(value);
        i += 2;
      } else {
        bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int hex(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
}
