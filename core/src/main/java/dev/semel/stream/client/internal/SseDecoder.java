package dev.semel.stream.client.internal;

import dev.semel.InvalidInput;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;

/**
 * Decodes server-sent events from bytes that are cut anywhere. Lines end with CR, LF or both; a
 * byte order mark may come first; unknown fields and comments are skipped. An event without its
 * empty line is incomplete and is dropped.
 */
public final class SseDecoder {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /**
   * One event.
   *
   * @param data its lines, with LF between them
   */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared
  record Event(String name, byte[] data) {}

  private final int maxBytes;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private final Queue<Event> ready = new ArrayDeque<>();
  private String name = "";
  private boolean hasData;
  private boolean first = true;
  private boolean afterReturn;

  /**
   * Decodes events up to this size.
   *
   * @param maxBytes of one event
   */
  public SseDecoder(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Decodes all bytes of the buffer.
   *
   * @throws InvalidInput an event is too large
   */
  public void feed(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      boolean second = afterReturn && bytes[i] == '\n';
      afterReturn = bytes[i] == '\r';
      if (second) {
        start = i + 1; // part of the CR LF before it
      } else if (bytes[i] == '\n' || bytes[i] == '\r') {
        add(bytes, start, i);
        end();
        start = i + 1;
      }
    }
    add(bytes, start, bytes.length);
  }

  private void add(byte[] bytes, int start, int end) {
    if ((long) line.size() + data.size() + end - start > maxBytes) {
      throw new InvalidInput("an event is larger than %d bytes".formatted(maxBytes));
    }
    line.write(bytes, start, end - start);
  }

  /** The next complete event. */
  public Optional<Event> poll() {
    return Optional.ofNullable(ready.poll());
  }

  private void end() {
    byte[] text = line.toByteArray();
    line.reset();
    if (first && marked(text)) {
      text = Arrays.copyOfRange(text, BYTE_ORDER_MARK.length, text.length);
    }
    first = false;
    if (text.length == 0) {
      dispatch();
    } else {
      field(text);
    }
  }

  private static boolean marked(byte[] text) {
    return text.length >= BYTE_ORDER_MARK.length
        && Arrays.equals(
            text, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
  }

  private void dispatch() {
    if (hasData) {
      ready.add(new Event(name.isEmpty() ? "message" : name, data.toByteArray()));
    }
    data.reset();
    hasData = false;
    name = "";
  }

  private void field(byte[] text) {
    int colon = 0;
    while (colon < text.length && text[colon] != ':') {
      colon++;
    }
    int value = Math.min(colon + 1, text.length);
    if (value < text.length && text[value] == ' ') {
      value++;
    }
    switch (new String(text, 0, colon, StandardCharsets.UTF_8)) {
      case "event" -> name = new String(text, value, text.length - value, StandardCharsets.UTF_8);
      case "data" -> {
        if (hasData) {
          data.write('\n');
        }
        hasData = true;
        data.write(text, value, text.length - value);
      }
      default -> {} // comments, ids, retry times: the protocol uses none
    }
  }
}
