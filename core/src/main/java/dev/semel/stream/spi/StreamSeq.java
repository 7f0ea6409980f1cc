package dev.semel.stream.spi;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The writers' own order of appends: opaque text, compared byte by byte, which must grow with every
 * append that carries one. The stream has one, shared by all writers.
 */
public record StreamSeq(String text) implements Comparable<StreamSeq> {
  /** Longest text, in characters. */
  public static final int MAX_LENGTH = 256;

  public StreamSeq {
    if (text.isEmpty() || text.length() > MAX_LENGTH || !PrintableText.isSafe(text)) {
      throw new InvalidInput(
          "the stream sequence %s is not valid: use 1 to %d printable characters"
              .formatted(PrintableText.quoted(text), MAX_LENGTH));
    }
  }

  /** Compares UTF-8 bytes; the order of String differs beyond the basic plane. */
  @Override
  public int compareTo(StreamSeq other) {
    return Arrays.compareUnsigned(
        text.getBytes(StandardCharsets.UTF_8), other.text.getBytes(StandardCharsets.UTF_8));
  }
}
