package dev.semel.stream;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;

/**
 * The name of a stream: segments between slashes, such as {@code orders/2026/eu}, already decoded.
 * Each stream has exactly one text: nothing is normalised, and a text that could be read as another
 * path is refused.
 *
 * <p>Names from outside go through the constructor, which refuses reserved paths; so callers can
 * neither reach nor fork the server's internal streams.
 */
public final class StreamPath implements Comparable<StreamPath> {
  /** Longest path, in bytes of UTF-8. */
  public static final int MAX_BYTES = 1024;

  /** The first segment of paths that belong to the protocol itself. */
  public static final String RESERVED = "__ds";

  private final String text;

  public StreamPath(String text) {
    this(text, false);
  }

  private StreamPath(String text, boolean mayBeReserved) {
    check(text, mayBeReserved);
    this.text = text;
  }

  /**
   * The name of an internal stream of the server. Listings leave it out, and no retention shortens
   * it.
   *
   * @param name the text after the reserved segment
   */
  public static StreamPath reserved(String name) {
    return new StreamPath(RESERVED + '/' + name, true);
  }

  private static void check(String text, boolean mayBeReserved) {
    if (text.isEmpty()) {
      throw refused(text, "is empty");
    }
    if (!PrintableText.isSafe(text)) {
      throw refused(text, "holds control characters or broken text");
    }
    if (text.indexOf('\\') >= 0) {
      throw refused(text, "holds a backslash");
    }
    // The first check avoids encoding a very long text.
    if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw refused(text, "is longer than %d bytes".formatted(MAX_BYTES));
    }
    if (text.startsWith(RESERVED) && !mayBeReserved) {
      throw refused(text, "begins with " + RESERVED + ", which the protocol keeps for itself");
    }
    checkSegments(text);
  }

  private static void checkSegments(String text) {
    for (int start = 0; start <= text.length(); ) {
      int slash = text.indexOf('/', start);
      int end = slash < 0 ? text.length() : slash;
      String segment = text.substring(start, end);
      if (segment.isEmpty()) {
        throw refused(text, "has an empty segment");
      }
      if (segment.equals(".") || segment.equals("..")) {
        throw refused(text, "leads elsewhere with " + segment);
      }
      start = end + 1;
    }
  }

  private static InvalidInput refused(String text, String why) {
    return new InvalidInput(
        "the stream's path %s %s: use names between slashes, such as orders/eu"
            .formatted(PrintableText.quoted(text), why));
  }

  public String text() {
    return text;
  }

  /** Whether it is an internal stream of the server. */
  public boolean isReserved() {
    return text.startsWith(RESERVED);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamPath p && text.equals(p.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public int compareTo(StreamPath other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
