package dev.semel.transport;

import dev.semel.ExecutionOrigin;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message to publish to a broker, or one that a broker delivered. Its id identifies it: receivers
 * drop a message whose id they have seen. Do not change its arrays.
 *
 * @param destination where it goes; the broker decides what that means: a subject, a topic, a queue
 * @param orderingKey messages with the same key arrive in the order in which they were sent; empty:
 *     in any order
 * @param type the kind of message for its readers, such as {@code order-created}; may be empty
 */
@SuppressWarnings("ArrayRecordComponent")
public record Message(
    String id,
    String destination,
    String orderingKey,
    String type,
    byte[] payload,
    Map<String, String> headers) {
  public static final int MAX_ID_BYTES = 256;
  public static final int MAX_DESTINATION_BYTES = 255;
  public static final int MAX_ORDERING_KEY_BYTES = 256;
  public static final int MAX_TYPE_BYTES = 255;
  public static final int MAX_HEADERS = 64;
  public static final int MAX_HEADER_BYTES = 16 << 10;

  /** The header with the id that related messages share across services. */
  public static final String CORRELATION_ID = "semel-correlation-id";

  /** The header with the id of the message or request that this one follows from. */
  public static final String CAUSATION_ID = "semel-causation-id";

  /** The header with the key of the execution that sent it. */
  public static final String SEMEL_KEY = "semel-key";

  /** The header with the W3C trace context. */
  public static final String TRACE_PARENT = "traceparent";

  /** The header with the vendors' part of the trace context. */
  public static final String TRACE_STATE = "tracestate";

  private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
  private static final Pattern TRACE =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

  public Message {
    requireText("id", id, 1, MAX_ID_BYTES);
    requireText("destination", destination, 1, MAX_DESTINATION_BYTES);
    requireText("ordering key", orderingKey, 0, MAX_ORDERING_KEY_BYTES);
    requireText("type", type, 0, MAX_TYPE_BYTES);
    requireThere("payload", payload);
    requireThere("headers", headers);
    headers = checked(headers);
  }

  /** A message with a new time-ordered id (UUIDv7), for something that happens only once. */
  public static Message of(String destination, byte[] payload) {
    return new Message(Ids.uuid7().toString(), destination, "", "", payload, Map.of());
  }

  public static Message of(String destination, String payload) {
    return of(destination, payload.getBytes(StandardCharsets.UTF_8));
  }

  public Message withId(String newId) {
    return new Message(newId, destination, orderingKey, type, payload, headers);
  }

  /**
   * Sets an id made from a name, the same one each time. Name the thing and its version, such as
   * {@code order-17-v3}, so that sending again after a crash sends the same message.
   */
  public Message withIdOf(String name) {
    requireText("name of the id", name, 1, Integer.MAX_VALUE);
    return withId(Ids.named(name).toString());
  }

  /** Sets an id made from the destination and the content: equal content is the same message. */
  public Message withIdOfContent() {
    return withId(
        Ids.sha256Hex(
            (destination + '\n' + type + '\n').getBytes(StandardCharsets.UTF_8), payload));
  }

  public Message withOrderingKey(String key) {
    return new Message(id, destination, key, type, payload, headers);
  }

  public Message withType(String newType) {
    return new Message(id, destination, orderingKey, newType, payload, headers);
  }

  /** Adds a header, or replaces its value. */
  public Message withHeader(String name, String value) {
    requireThere("header's name", name);
    requireThere("header's value", value);
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Message(id, destination, orderingKey, type, payload, more);
  }

  public Message withCorrelationId(String value) {
    return withHeader(CORRELATION_ID, value);
  }

  public Message withCausationId(String value) {
    return withHeader(CAUSATION_ID, value);
  }

  /** Sets the trace context, in the form {@code 00-trace-span-flags}. */
  public Message withTrace(String traceParent) {
    return withHeader(TRACE_PARENT, traceParent);
  }

  public Message withKey(Key key) {
    return withHeader(SEMEL_KEY, key.text());
  }

  /** The origin of work that handles this message; bind it around that work. */
  public ExecutionOrigin origin() {
    String key = headers.getOrDefault(SEMEL_KEY, "");
    return new ExecutionOrigin(
        key.isEmpty() ? ExecutionOrigin.current().key() : key,
        id,
        headers.getOrDefault(CORRELATION_ID, id),
        headers.getOrDefault(TRACE_PARENT, ""),
        headers.getOrDefault(TRACE_STATE, ""));
  }

  /**
   * Adds the origin in those headers that the message does not have. If they don't fit, the message
   * stays as it is: headers for people must not keep a message from being sent.
   */
  public Message following(ExecutionOrigin origin) {
    if (origin.equals(ExecutionOrigin.NONE)) {
      return this;
    }
    Map<String, String> more = new LinkedHashMap<>(headers);
    putIfKnown(more, SEMEL_KEY, origin.key());
    putIfKnown(more, CAUSATION_ID, origin.causationId());
    putIfKnown(more, CORRELATION_ID, origin.correlationId());
    if (!headers.containsKey(TRACE_PARENT)) { // the two parts belong together
      putIfKnown(more, TRACE_PARENT, origin.traceParent());
      putIfKnown(more, TRACE_STATE, origin.traceState());
    }
    if (more.size() == headers.size()) {
      return this;
    }
    try {
      return new Message(id, destination, orderingKey, type, payload, more);
    } catch (InvalidInput e) {
      return this;
    }
  }

  private static void putIfKnown(Map<String, String> headers, String name, String value) {
    if (!value.isEmpty()) {
      headers.putIfAbsent(name, value);
    }
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  public boolean ordered() {
    return !orderingKey.isEmpty();
  }

  /** The size of all that a broker has to carry. */
  public long bytes() {
    long bytes = payload.length;
    bytes += PrintableText.utf8Length(id) + PrintableText.utf8Length(orderingKey);
    bytes += PrintableText.utf8Length(type);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      bytes += header.getKey().length() + PrintableText.utf8Length(header.getValue());
    }
    return bytes;
  }

  private static void requireThere(String what, @Nullable Object value) {
    if (value == null) {
      throw new InvalidInput(
          "the message's " + what + " is null: leave it out, or give an empty one");
    }
  }

  private static void requireText(String what, @Nullable String text, int min, int max) {
    if (text == null) {
      requireThere(what, null);
    } else if (text.isEmpty() && min > 0) {
      throw new InvalidInput("the message's " + what + " is empty: give it one");
    } else if (!PrintableText.isSafe(text)) {
      throw new InvalidInput(
          "the message's %s %s holds control characters or broken text: use printable text"
              .formatted(what, PrintableText.quoted(text)));
    } else if (PrintableText.utf8Length(text) > max) {
      throw new InvalidInput(
          "the message's %s is %d bytes long and the limit is %d: shorten it, or use a hash of it"
              .formatted(what, PrintableText.utf8Length(text), max));
    }
  }

  private static Map<String, String> checked(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return Map.of();
    }
    if (headers.size() > MAX_HEADERS) {
      throw new InvalidInput(
          "the message has %d headers and the limit is %d: put them into the payload"
              .formatted(headers.size(), MAX_HEADERS));
    }
    int bytes = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      requireText(
          "header " + PrintableText.quoted(header.getKey()),
          header.getValue(),
          0,
          MAX_HEADER_BYTES);
      if (!HEADER_NAME.matcher(header.getKey()).matches()) {
        throw new InvalidInput(
            "the header's name %s can't be carried by every broker: use letters, digits and hyphens"
                .formatted(PrintableText.quoted(header.getKey())));
      }
      bytes += header.getKey().length() + PrintableText.utf8Length(header.getValue());
    }
    if (bytes > MAX_HEADER_BYTES) {
      throw new InvalidInput(
          "the message's headers are %d bytes long and the limit is %d: put them into the payload"
              .formatted(bytes, MAX_HEADER_BYTES));
    }
    String trace = headers.get(TRACE_PARENT);
    if (trace != null && !TRACE.matcher(trace).matches()) {
      throw new InvalidInput(
          "the trace parent %s is none: it looks like 00-(32 digits)-(16 digits)-01"
              .formatted(PrintableText.quoted(trace)));
    }
    return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }
}
