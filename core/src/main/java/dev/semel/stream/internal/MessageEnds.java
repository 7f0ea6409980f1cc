package dev.semel.stream.internal;

import java.util.BitSet;

/**
 * Where the messages of one append of JSON end, as it is stored: behind the comma of each. What is
 * stored is valid, so a comma that stands neither within brackets nor within a text ends a message,
 * and the bytes can be looked at piece by piece. Takes an eighth of the append at most.
 */
public final class MessageEnds {
  private final long start;
  private final BitSet ends = new BitSet();
  private int seen;
  private int depth;
  private boolean text;
  private boolean escaped;

  /**
   * @param start of the append
   */
  public MessageEnds(long start) {
    this.start = start;
  }

  /** Looks at what follows. */
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

  /** Whether a message begins there: the append does, or another one ended. */
  public boolean begins(long position) {
    return position == start || ends.get(Math.toIntExact(position - start));
  }

  /** Behind as many messages as end up to the limit, but one at least: a reader must get on. */
  public long cut(long from, long limit) {
    int at = Math.toIntExact(from - start);
    int last = ends.previousSetBit(Math.toIntExact(Math.min(limit - start, seen)));
    return start + (last > at ? last : ends.nextSetBit(at + 1));
  }

  /** Behind so many messages from there; negative: there are fewer. */
  public long beyond(long from, long messages) {
    int at = Math.toIntExact(from - start);
    for (long i = 0; i < messages && at >= 0; i++) {
      at = ends.nextSetBit(at + 1);
    }
    return at < 0 ? -1 : start + at;
  }

  /** About how much memory it takes. */
  public int bytes() {
    return ends.size() / Byte.SIZE;
  }
}
