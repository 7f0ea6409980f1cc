package dev.semel.stream;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;

/**
 * A position in a stream: the number of stored bytes before it. Its text is opaque to clients and
 * sorts like the positions. The first half is always zero; it is there because clients of the
 * protocol know offsets in this form.
 */
public record Offset(long position) implements Comparable<Offset> {
  public static final Offset ZERO = new Offset(0);

  private static final int DIGITS = 16;
  private static final long MAX = 9_999_999_999_999_999L;
  private static final String PREFIX = "0".repeat(DIGITS) + '_';

  public Offset {
    if (position < 0 || position > MAX) {
      throw new IllegalArgumentException("no such position: " + position);
    }
  }

  public static Offset parse(String text) {
    if (text.length() != PREFIX.length() + DIGITS || !text.startsWith(PREFIX)) {
      throw refused(text);
    }
    long position = 0;
    for (int i = PREFIX.length(); i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw refused(text);
      }
      position = position * 10 + (c - '0');
    }
    return new Offset(position);
  }

  private static InvalidInput refused(String text) {
    return new InvalidInput(
        "%s is not an offset: send one as this server gave it"
            .formatted(PrintableText.quoted(text)));
  }

  public Offset plus(long bytes) {
    return bytes == 0 ? this : new Offset(position + bytes);
  }

  public String text() {
    String digits = Long.toString(position);
    return PREFIX + "0".repeat(DIGITS - digits.length()) + digits;
  }

  @Override
  public int compareTo(Offset other) {
    return Long.compare(position, other.position);
  }

  @Override
  public String toString() {
    return text();
  }
}
