package dev.semel.stream.internal;

import java.util.BitSet;

/**
 * Where the messages of one stored JSON append end: after the comma of each. Stored JSON is valid,
 * so a comma outside of brackets and texts ends a message, and the bytes can be scanned piece by
 * piece. Takes at most an eighth of the append's size.
 */
public final class MessageEnds {
  private final long start;
  private final BitSet ends = new BitSet();
  private int seen;
  private int depth;
  private boolean text;
  private boolean escaped;

  /**
   * Scans the append that begins at this position.
   *
   * @param start of the append
   */
  public MessageEnds(long start) {
    this.start = start;
  }

  /** Scans the next bytes. */
  public void add(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      byte b = bytes[i];
      if (text) {
        if (escaped) {
          escaped = false;
        } else if (b == '\\') {
          escaped = true;
        } else if (b == '"') {
          text = false;
        }
      } else {
        switch (b) {
          case '"' -> text = true;
          case '[', '{' -> depth++;
          case ']', '}' -> depth--;
          case ',' -> {
            if (depth == 0) {
              ends.set(seen + i + 1);
            }
          }
          default -> {}
        }
      }
    }
    seen += length;
  }

  /** Whether a message begins there: at the append's start, or after another message. */
  public boolean begins(long position) {
    return position == start || ends.get(Math.toIntExact(position - start));
  }

  /** The last end up to the limit, but after at least one message: a reader must make progress. */
  public long cut(long from, long limit) {
    int at = Math.toIntExact(from - start);
    int last = ends.previousSetBit(Math.toIntExact(Math.min(limit - start, seen)));
    return start + (last > at ? last : ends.nextSetBit(at + 1));
  }

  /** The position that many messages later; negative: there are fewer. */
  public long beyond(long from, long messages) {
    int at = Math.toIntExact(from - start);
    for (long i = 0; i < messages && at >= 0; i++) {
      at = ends.nextSetBit(at + 1);
    }
    return at < 0 ? -1 : start + at;
  }

  /** About how much memory it takes, in bytes. */
  public int bytes() {
    return ends.size() / Byte.SIZE;
  }
}
