package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.json.internal.JsonScanner;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a stream, as it came in one answer or event, with the offset after it. To miss and
 * repeat nothing after a crash, store that offset together with the chunk's effects, and continue
 * from it. Do not change its bytes.
 */
public final class StreamChunk {
  private static final int[] NO_MESSAGES = {};

  private final byte[] bytes;
  private final boolean json;
  private final int[] messages;
  private final StreamMark mark;

  private StreamChunk(byte[] bytes, boolean json, int[] messages, StreamMark mark) {
    this.bytes = bytes;
    this.json = json;
    this.messages = messages;
    this.mark = mark;
  }

  static StreamChunk ofBytes(byte[] bytes, StreamMark mark) {
    return new StreamChunk(bytes, false, NO_MESSAGES, mark);
  }

  /**
   * Parses an array of messages.
   *
   * @throws InvalidInput it is not a JSON array
   */
  static StreamChunk ofJson(byte[] array, StreamMark mark) {
    if (array.length == 0) {
      return new StreamChunk(array, true, NO_MESSAGES, mark);
    }
    int[] elements = JsonScanner.elements(array);
    if (first(array) != '[') {
      throw new InvalidInput("it is valid JSON, but no array of messages");
    }
    return new StreamChunk(array, true, elements, mark);
  }

  /** The first byte that is not a blank; valid JSON has one. */
  private static int first(byte[] json) {
    int at = 0;
    while (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t') {
      at++;
    }
    return json[at];
  }

  /** Joins several pieces that came before one mark. */
  static StreamChunk of(boolean json, List<byte[]> pieces, StreamMark mark) {
    if (pieces.size() == 1) {
      return json ? ofJson(pieces.get(0), mark) : ofBytes(pieces.get(0), mark);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      if (json) {
        ofJson(piece, mark).addMessages(all);
      } else {
        all.writeBytes(piece);
      }
    }
    if (json && all.size() > 0) {
      all.write(']');
    }
    return json ? ofJson(all.toByteArray(), mark) : ofBytes(all.toByteArray(), mark);
  }

  /** Appends its messages to an array that may have some already. */
  private void addMessages(ByteArrayOutputStream array) {
    for (int i = 0; i < messages.length; i += 2) {
      array.write(array.size() == 0 ? '[' : ',');
      array.write(bytes, messages[i], messages[i + 1] - messages[i]);
    }
  }

  /** The bytes as the server sent them: for a JSON stream an array of messages. */
  public byte[] bytes() {
    return bytes;
  }

  /** The bytes as UTF-8 text. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * The messages of a JSON stream, each as one JSON text.
   *
   * @throws IllegalStateException the stream is of another type, whose messages are not kept apart
   */
  public List<String> messages() {
    if (!json) {
      throw new IllegalStateException(
          "only a stream of JSON keeps its messages apart: use bytes()");
    }
    List<String> texts = new ArrayList<>(messages.length / 2);
    for (int i = 0; i < messages.length; i += 2) {
      int length = messages[i + 1] - messages[i];
      // Blanks after a value belong to the array.
      texts.add(new String(bytes, messages[i], length, StandardCharsets.UTF_8).strip());
    }
    return List.copyOf(texts);
  }

  /** Whether it came from a JSON stream, and has {@link #messages}. */
  public boolean isJson() {
    return json;
  }

  /** Whether it holds no data, and only says that the reader is up to date. */
  public boolean isEmpty() {
    return json ? messages.length == 0 : bytes.length == 0;
  }

  /** The offset to continue from after this chunk. */
  public String nextOffset() {
    return mark.offset();
  }

  /** Whether the stream held no more when this was sent. */
  public boolean upToDate() {
    return mark.upToDate();
  }

  /** Whether the stream is closed and this was its last data. */
  public boolean closed() {
    return mark.closed();
  }

  /** This chunk with another offset after it. */
  StreamChunk at(String offset) {
    return new StreamChunk(
        bytes,
        json,
        messages,
        new StreamMark(offset, mark.cursor(), mark.upToDate(), mark.closed()));
  }

  StreamMark mark() {
    return mark;
  }

  @Override
  public String toString() {
    return "%d bytes before %s".formatted(bytes.length, mark.offset());
  }
}
