package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Splits an input at its line feeds. */
final class InputLines {
  /** Longest line, in bytes. */
  static final int MAX_LENGTH = Json.MAX_LENGTH;

  private final InputStream in;

  InputLines(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /**
   * The next line without its end; empty: there is none.
   *
   * @throws InvalidInput it is too long; the following line is next
   */
  Optional<byte[]> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean tooLong = false;
    int c = in.read();
    if (c < 0) {
      return Optional.empty();
    }
    for (; c >= 0 && c != '\n'; c = in.read()) {
      tooLong |= line.size() == MAX_LENGTH;
      if (!tooLong) {
        line.write(c);
      }
    }
    if (tooLong) {
      throw new InvalidInput("the line is longer than %d bytes: send less".formatted(MAX_LENGTH));
    }
    return Optional.of(line.toByteArray());
  }
}
