package dev.semel.cli.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.cli.StandardStreams;
import dev.semel.internal.PrintableText;
import dev.semel.json.internal.JsonScanner;
import dev.semel.stream.Offset;
import dev.semel.stream.spi.DataSlice;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.stream.Collectors;

/**
 * Writes a stream's data to standard output: bytes unchanged, JSON one message a line. Only on a
 * terminal it escapes characters that the terminal could obey. For one thread.
 */
final class SliceWriter {
  private final PrintStream out;
  private final boolean terminal;
  private final boolean array;
  private long left;
  private boolean first = true;

  /**
   * @param array whether JSON is one array, which {@link #end} completes
   * @param limit number of JSON messages, or of bytes
   */
  SliceWriter(StandardStreams streams, boolean array, long limit) {
    this.out = streams.out();
    this.terminal = streams.outIsTerminal();
    this.array = array;
    this.left = limit;
    if (array) {
      out.print('[');
    }
  }

  /** False: the limit is reached. */
  boolean wants() {
    return left > 0 && !out.checkError();
  }

  /** Writes a slice and returns its end, or the place in it where the limit was reached. */
  Offset write(DataSlice slice) {
    return slice.head().config().type().json() ? messages(slice) : bytes(slice);
  }

  private Offset bytes(DataSlice slice) {
    long position = slice.from().position();
    for (ByteBuffer piece : slice.stored()) {
      byte[] bytes = new byte[(int) Math.min(left, piece.remaining())];
      piece.get(piece.position(), bytes, 0, bytes.length);
      if (terminal) {
        print(new String(bytes, UTF_8));
      } else {
        out.write(bytes, 0, bytes.length);
      }
      left -= bytes.length;
      position += bytes.length;
    }
    return new Offset(position);
  }

  private void print(String text) {
    String safe = text.lines().map(PrintableText::safe).collect(Collectors.joining("\n"));
    out.print(text.endsWith("\n") ? safe + "\n" : safe);
  }

  private Offset messages(DataSlice slice) {
    byte[] body = slice.body();
    int[] ranges = JsonScanner.elements(body);
    long position = slice.from().position();
    for (int i = 0; i < ranges.length && left > 0; i += 2, left--) {
      message(body, ranges[i], ranges[i + 1]);
      // The array's opening bracket makes up for the comma behind each message.
      position = slice.from().position() + ranges[i + 1];
    }
    return new Offset(position);
  }

  private void message(byte[] body, int start, int end) {
    if (array && !first) {
      out.print(',');
    }
    first = false;
    // Line breaks occur only between tokens of JSON, where a blank means the same.
    for (int i = start; i < end; i++) {
      body[i] = body[i] == '\n' || body[i] == '\r' ? (byte) ' ' : body[i];
    }
    if (terminal) {
      out.print(PrintableText.safe(new String(body, start, end - start, UTF_8)));
    } else {
      out.write(body, start, end - start);
    }
    if (!array) {
      out.print('\n');
    }
  }

  void end() {
    if (array) {
      out.print("]\n");
    }
    out.flush();
  }
}
