package dev.semel.stream.internal.local;

import dev.semel.stream.StreamRetention;
import dev.semel.stream.internal.MessageBoundaries;
import dev.semel.stream.spi.AppendBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One stream's own data in memory, append by append. A fork reads data before its base from its
 * source's log, so forking copies nothing. The engine guards it.
 */
public final class MemoryLog {
  /** One append. */
  private record Piece(long start, AppendBody body, long at) {
    long end() {
      return start + body.length();
    }
  }

  private final long base;
  private final boolean json;
  private final @Nullable MemoryLog source;
  private final List<Piece> pieces = new ArrayList<>();
  private long end;

  MemoryLog(long base, boolean json, @Nullable MemoryLog source) {
    this.base = base;
    this.json = json;
    this.source = source;
    this.end = base;
  }

  /** A log that starts at {@code from}, for data to be added; earlier positions can't be read. */
  public static MemoryLog part(long base, long from, boolean json, @Nullable MemoryLog source) {
    MemoryLog part = new MemoryLog(base, json, source);
    part.end = from;
    return part;
  }

  public void add(AppendBody body, long now) {
    if (body.length() > 0) {
      pieces.add(new Piece(end, body, now));
      end += body.length();
    }
  }

  /** The piece that begins at or holds the position, which must be kept. */
  private int index(long position) {
    int low = 0;
    int high = pieces.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (pieces.get(middle).start() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The log that holds the data after the position. */
  private MemoryLog holding(long position) {
    MemoryLog log = this;
    while (log.source != null && position < log.base) {
      log = log.source;
    }
    return log;
  }

  /** See {@link MessageBoundaries}; a fork of this log may begin in the middle of an append. */
  public OptionalLong beyond(long anchor, long units) {
    if (anchor == end) {
      return units == 0 ? OptionalLong.of(anchor) : OptionalLong.empty();
    }
    if (anchor < base && source != null) {
      OptionalLong there = source.beyond(anchor, units);
      return there.isPresent() && there.getAsLong() <= base ? there : OptionalLong.empty();
    }
    Piece piece = pieces.get(index(anchor));
    int within = (int) (anchor - piece.start());
    if (!json) {
      return units <= piece.body().length() - within
          ? OptionalLong.of(anchor + units)
          : OptionalLong.empty();
    }
    int message = message(piece.body(), within);
    int[] ends = piece.body().ends();
    if (message < 0 || message + units > ends.length) {
      return OptionalLong.empty();
    }
    int last = message + (int) units;
    return OptionalLong.of(piece.start() + (last == 0 ? 0 : ends[last - 1]));
  }

  /** How many messages end at or before this place; -1 if it is inside a message. */
  private static int message(AppendBody body, int within) {
    int found = within == 0 ? -1 : Arrays.binarySearch(body.ends(), within);
    return within == 0 ? 0 : found < 0 ? -1 : found + 1;
  }

  /**
   * Collects data; returns where it stopped.
   *
   * @param to the end of the readable data
   */
  long read(long from, long to, int maxBytes, List<ByteBuffer> into) {
    long at = from;
    while (at < to) {
      MemoryLog log = holding(at);
      long left = maxBytes - (at - from);
      long next = log.readPiece(at, Math.min(to, limit(log, to)), left, at == from, into);
      if (next == at) {
        break;
      }
      at = next;
    }
    return at;
  }

  /** A source is only read up to where the fork begins. */
  private long limit(MemoryLog log, long to) {
    long limit = to;
    for (MemoryLog l = this; l != log && l.source != null; l = l.source) {
      limit = Math.min(limit, l.base);
    }
    return limit;
  }

  private long readPiece(long at, long to, long left, boolean first, List<ByteBuffer> into) {
    Piece piece = pieces.get(index(at));
    int start = (int) (at - piece.start());
    int end = (int) (Math.min(piece.end(), to) - piece.start());
    int cut =
        end - start <= left
            ? end
            : json ? wholeMessages(piece.body(), start, left, first) : start + (int) left;
    if (cut > start) {
      into.add(ByteBuffer.wrap(piece.body().bytes(), start, cut - start).asReadOnlyBuffer());
    }
    return piece.start() + cut;
  }

  /**
   * As many messages as fit; at least one if nothing was read yet, so that a reader makes progress.
   */
  private static int wholeMessages(AppendBody body, int start, long left, boolean first) {
    int cut = start;
    for (int i = message(body, start); i < body.ends().length; i++) {
      int end = body.ends()[i];
      if (end - start > left && !(first && cut == start)) {
        break;
      }
      cut = end;
    }
    return cut;
  }

  /** Where the data begins that the retention still keeps; empty if it keeps all. */
  OptionalLong keptFrom(StreamRetention retention, long now) {
    long start = -1;
    for (Piece piece : pieces) {
      boolean needed = end - piece.end() < retention.bytes();
      boolean young = now - piece.at() < retention.age().toMillis();
      if (needed && young) {
        break;
      }
      start = piece.end();
    }
    return start < 0 ? OptionalLong.empty() : OptionalLong.of(start);
  }

  void drop(long start) {
    int count = 0;
    while (count < pieces.size() && pieces.get(count).end() <= start) {
      count++;
    }
    pieces.subList(0, count).clear();
  }
}
