package dev.semel.rabbitmq;

import com.rabbitmq.client.AMQP;
import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to AMQP 0-9-1 and back: id and type where its tools look for them, the rest in
 * headers.
 */
final class AmqpMessages {
  static final String ORDERING_KEY = "Semel-Ordering-Key";

  /** For an id that is longer than the protocol's field. */
  static final String ID = "Semel-Id";

  /** Prefixes header names that would mean something to the broker or to us. */
  static final String PREFIX = "Semel-Header-";

  /** The number of earlier deliveries, as quorum queues count it. */
  private static final String DELIVERY_COUNT = "x-delivery-count";

  private static final int LONGEST_SHORT = 255;
  private static final int PERSISTENT = 2;

  private AmqpMessages() {}

  /**
   * @param number identifies the message when the broker returns it
   */
  static AMQP.BasicProperties properties(Message message, long number) {
    Map<String, Object> headers = new HashMap<>();
    message
        .headers()
        .forEach((name, value) -> headers.put(isReserved(name) ? PREFIX + name : name, value));
    if (message.ordered()) {
      headers.put(ORDERING_KEY, message.orderingKey());
    }
    AMQP.BasicProperties.Builder properties =
        new AMQP.BasicProperties.Builder()
            .deliveryMode(PERSISTENT)
            .correlationId(Long.toString(number));
    if (PrintableText.utf8Length(message.id()) <= LONGEST_SHORT) {
      properties.messageId(message.id());
    } else {
      headers.put(ID, message.id());
    }
    if (!message.type().isEmpty()) {
      properties.type(message.type());
    }
    return properties.headers(headers).build();
  }

  /**
   * Whether the broker interprets the header: it copies and routes by {@code CC}, {@code BCC} and
   * {@code x-…}.
   */
  static boolean isReserved(String name) {
    return name.regionMatches(true, 0, "x-", 0, 2)
        || name.equalsIgnoreCase("CC")
        || name.equalsIgnoreCase("BCC")
        || name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
        || name.equalsIgnoreCase(ORDERING_KEY)
        || name.equalsIgnoreCase(ID);
  }

  /**
   * Converts any AMQP message, because one that failed would block its partition for ever.
   *
   * @param otherId for a message without an id
   */
  static Message message(
      String destination, AMQP.BasicProperties properties, byte[] payload, String otherId) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> put(headers, name, value));
    }
    return message(
        destination,
        properties.getMessageId() == null ? otherId : properties.getMessageId(),
        properties.getType(),
        headers,
        payload);
  }

  private static void put(Map<String, String> headers, String name, @Nullable Object value) {
    if (value != null && !(value instanceof Map) && !(value instanceof Iterable)) {
      headers.put(name, value.toString());
    }
  }

  /** Converts the fields that streams and queues have in common. */
  static Message message(
      String destination,
      String id,
      @Nullable String type,
      Map<String, String> headers,
      byte[] payload) {
    String named = fitting(headers.getOrDefault(ID, id));
    Message message = new Message(named, destination, "", "", payload, Map.of());
    if (type != null) {
      message = orElse(message, last -> last.withType(type));
    }
    String key = headers.get(ORDERING_KEY);
    if (key != null) {
      message = orElse(message, last -> last.withOrderingKey(key));
    }
    for (Map.Entry<String, String> header : headers.entrySet()) {
      String name = header.getKey();
      if (name.startsWith(PREFIX)) {
        message =
            orElse(
                message,
                last -> last.withHeader(name.substring(PREFIX.length()), header.getValue()));
      } else if (!isReserved(name)) {
        message = orElse(message, last -> last.withHeader(name, header.getValue()));
      }
    }
    return message;
  }

  /** Replaces another program's id by its hash if it can't be one of ours. */
  private static String fitting(String id) {
    return !id.isEmpty()
            && PrintableText.isSafe(id)
            && PrintableText.utf8Length(id) <= Message.MAX_ID_BYTES
        ? id
        : "sha256-" + Ids.sha256Hex(id.getBytes(StandardCharsets.UTF_8));
  }

  @FunctionalInterface
  private interface Change {
    Message of(Message last);
  }

  /** Leaves a part out where another program's value does not fit into our message. */
  private static Message orElse(Message unchanged, Change change) {
    try {
      return change.of(unchanged);
    } catch (InvalidInput e) {
      return unchanged;
    }
  }

  static long deliveredBefore(AMQP.BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    return headers != null && headers.get(DELIVERY_COUNT) instanceof Number count
        ? count.longValue()
        : 0;
  }
}
