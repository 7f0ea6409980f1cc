package dev.semel.cli.streams;

import dev.semel.InvalidInput;
import dev.semel.cli.ByteSizes;
import dev.semel.json.internal.JsonScanner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts input into batches of whole lines: all that is there at the moment, up to a size. So a
 * single line goes at once, and lines that come faster than they are sent go together. For one
 * thread.
 */
final class LineBatches {
  /** Bytes after which a batch is complete. */
  static final int BATCH_BYTES = 1 << 20;

  /** Longest line. Together with the batch before it, it still fits into one append. */
  static final int MAX_LINE_BYTES = 8 << 20;

  private static final int FIRST_BUFFER = 64 << 10;

  /**
   * The next append.
   *
   * @param body empty only if it is the last one
   * @param last whether nothing follows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Batch(byte[] body, long lines, boolean last) {}

  private final InputStream in;
  private final boolean json;
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int from;
  private int to;
  private int scanned;
  private boolean ended;
  private long lineNumber;

  /**
   * @param json whether each line is a message; else lines are bytes, including their ends
   */
  LineBatches(InputStream in, boolean json) {
    this.in = in;
    this.json = json;
  }

  /** Waits for at least one line, or the end. */
  Batch next() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    long lines = 0;
    while (body.size() < BATCH_BYTES) {
      int end = line(lines == 0);
      if (end < 0) {
        break;
      }
      if (add(body, end)) {
        lines++;
      }
    }
    if (json && lines > 0) {
      body.write(']');
    }
    return new Batch(body.toByteArray(), lines, ended && from == to);
  }

  /** The end of the next line that is there, or that it may wait for; -1: none. */
  private int line(boolean wait) throws IOException {
    while (true) {
      for (; scanned < to; scanned++) {
        if (buffer[scanned] == '\n') {
          return scanned + 1;
        }
      }
      if (ended) {
        return from < to ? to : -1;
      }
      if (!wait && in.available() == 0) {
        return -1;
      }
      fill();
    }
  }

  private void fill() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      scanned -= from;
      to -= from;
      from = 0;
    }
    if (to > MAX_LINE_BYTES) {
      throw new InvalidInput(
          "line %d is longer than %s: use --raw for data that has no lines"
              .formatted(lineNumber + 1, ByteSizes.text(MAX_LINE_BYTES)));
    }
    if (to == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * to);
    }
    // All of it is one line so far, so it reads no more than that line may still have.
    int room = Math.min(buffer.length, MAX_LINE_BYTES + 1) - to;
    int count = in.read(buffer, to, room);
    if (count < 0) {
      ended = true;
    } else {
      to += count;
    }
  }

  /** False: the line is empty. */
  private boolean add(ByteArrayOutputStream body, int end) {
    int start = from;
    from = end;
    scanned = end;
    lineNumber++;
    if (!json) {
      body.write(buffer, start, end - start);
      return true;
    }
    byte[] message = trimmed(start, end);
    if (message.length == 0) {
      return false;
    }
    try {
      // Checks that it is one value: a line with two would become two messages.
      int[] unused = JsonScanner.elements(message);
    } catch (InvalidInput e) {
      throw new InvalidInput("line %d: %s".formatted(lineNumber, e.getMessage()));
    }
    body.write(body.size() == 0 ? '[' : ',');
    body.writeBytes(message);
    return true;
  }

  private byte[] trimmed(int start, int end) {
    int first = start;
    int behind = end;
    while (first < behind && blank(buffer[first])) {
      first++;
    }
    while (behind > first && blank(buffer[behind - 1])) {
      behind--;
    }
    return Arrays.copyOfRange(buffer, first, behind);
  }

  private static boolean blank(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }
}
