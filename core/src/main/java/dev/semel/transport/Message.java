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
 * Something to be told once. Its id decides what is the same message: whoever hears one with an id
 * that was heard before drops it. Its arrays are not to be changed.
 *
 * @param destination where it goes; what that means is up to the broker: a subject, a topic, a
 *     queue
 * @param orderingKey messages with the same one arrive in the order in which they were sent; empty:
 *     in any order
 * @param type what it is, for whoever reads it, such as {@code order-created}; may be empty
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

  /** What belongs together over many messages and services. */
  public static final String CORRELATION_ID = "semel-correlation-id";

  /** The id of the message or request that this one follows from. */
  public static final String CAUSATION_ID = "semel-causation-id";

  /** The key of the execution that sent it. */
  public static final String SEMEL_KEY = "semel-key";

  /** W3C trace context. */
  public static final String TRACE_PARENT = "traceparent";

  /** The vendors' part of it. */
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

  /** With a new time-ordered id (UUIDv7), for what happens only once by its nature. */
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
   * With an id made of a name, the same one each time: of what is told and its version, such as
   * {@code order-17-v3}. Whoever sends it again after a crash sends the same message.
   */
  public Message withIdOf(String name) {
    requireText("name of the id", name, 1, Integer.MAX_VALUE);
    return withId(Ids.named(name).toString());
  }

  /** With an id made of the destination and the content: equal content is the same message. */
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

  /** One more, or another in its place. */
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

  /** As in the header of the same name: {@code 00-trace-span-flags}. */
  public Message withTrace(String traceParent) {
    return withHeader(TRACE_PARENT, traceParent);
  }

  public Message withKey(Key key) {
    return withHeader(SEMEL_KEY, key.text());
  }

  /** What follows from this message: whoever handles it binds that around its work. */
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
   * With what it follows from in those headers that it does not have. Where they don't fit, it goes
   * without them: what only people look at must not keep a message from being sent.
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

  /** Of everything that a broker has to carry. */
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
