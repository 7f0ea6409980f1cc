package dev.semel.stream.internal.local;

import dev.semel.journal.internal.JournalDisk;
import dev.semel.stream.StreamRetention;
import dev.semel.stream.internal.MessageBoundaries;
import dev.semel.stream.internal.MessageEnds;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One stream's own data in files. A fork reads data before its base from its source's log, so
 * forking copies nothing. The engine guards it.
 */
final class StreamLog {
  /** One append, or the part of it that a fork inherits. */
  record Span(long start, long end) {}

  private final long stream;
  private final long base;
  private final boolean json;
  private final @Nullable StreamLog source;
  private final List<StreamSegment> chunks;
  private long end;

  /**
   * From a snapshot; its data may have been dropped, so the end can't be taken from the segments.
   */
  StreamLog(StreamState state, @Nullable StreamLog source, List<StreamSegment> chunks) {
    this(
        state.incarnation(),
        state.base().position(),
        state.config().type().json(),
        source,
        chunks,
        state.tail().position());
  }

  private StreamLog(
      long stream,
      long base,
      boolean json,
      @Nullable StreamLog source,
      List<StreamSegment> chunks,
      long end) {
    this.stream = stream;
    this.base = base;
    this.json = json;
    this.source = source;
    this.chunks = chunks;
    this.end = end;
  }

  static StreamLog of(StreamChange.Created c, @Nullable StreamLog source) {
    long base = c.base().position();
    boolean json = c.config().type().json();
    return new StreamLog(c.stream(), base, json, source, new ArrayList<>(1), base);
  }

  boolean json() {
    return json;
  }

  List<StreamSegment> chunks() {
    return chunks;
  }

  /**
   * Adds data to be written later.
   *
   * @return the segment that got it; a new one when the last has reached its size
   */
  StreamSegment add(byte[] bytes, long at, long chunkBytes) {
    if (chunks.isEmpty() || chunks.getLast().end() - chunks.getLast().start() >= chunkBytes) {
      chunks.add(new StreamSegment(stream, end));
    }
    StreamSegment last = chunks.getLast();
    last.add(bytes, at);
    end = last.end();
    return last;
  }

  /** Removes the segments that lie entirely before the new start. */
  List<StreamSegment> drop(long start) {
    int count = 0;
    while (count < chunks.size() && chunks.get(count).end() <= start) {
      count++;
    }
    List<StreamSegment> dropped = List.copyOf(chunks.subList(0, count));
    chunks.subList(0, count).clear();
    return dropped;
  }

  /** The log that holds the data after the position. */
  StreamLog holding(long position) {
    StreamLog log = this;
    while (log.source != null && position < log.base) {
      log = log.source;
    }
    return log;
  }

  /** A source is only read up to where the fork begins. */
  long limit(StreamLog log, long to) {
    long limit = to;
    for (StreamLog l = this; l != log && l.source != null; l = l.source) {
      limit = Math.min(limit, l.base);
    }
    return limit;
  }

  /** The segment that begins at or holds the position, which must be kept in this log. */
  StreamSegment chunk(long position) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunks.get(middle).start() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return chunks.get(low);
  }

  /** The append whose data begins at or holds the position, which must be before the tail. */
  Span appendAt(JournalDisk disk, long position) throws IOException {
    StreamLog log = holding(position);
    StreamSegment chunk = log.chunk(position);
    try (Index index = new Index(disk, chunk)) {
      int i = index.firstEndingBehind(position);
      long start = i == 0 ? chunk.start() : index.end(i - 1);
      return new Span(start, limit(log, index.end(i)));
    }
  }

  /** The stream that holds the data there, also when it is read through a fork. */
  long streamHolding(long position) {
    return holding(position).stream;
  }

  /** See {@link MessageBoundaries}; {@code messages} scans an append for its JSON messages. */
  OptionalLong beyond(JournalDisk disk, long anchor, long units, Messages messages)
      throws IOException {
    if (anchor == end) {
      return units == 0 ? OptionalLong.of(anchor) : OptionalLong.empty();
    }
    Span span = appendAt(disk, anchor);
    if (!json) {
      return units <= span.end() - anchor ? OptionalLong.of(anchor + units) : OptionalLong.empty();
    }
    if (anchor == span.start() && units == 0) {
      return OptionalLong.of(anchor);
    }
    MessageEnds ends = messages.of(span);
    long beyond = ends.begins(anchor) ? ends.beyond(anchor, units) : -1;
    return beyond < 0 ? OptionalLong.empty() : OptionalLong.of(beyond);
  }

  /** Finds the messages of one append. */
  @FunctionalInterface
  interface Messages {
    MessageEnds of(Span append) throws IOException;
  }

  /** See {@link StreamStorage#keptFrom}. */
  OptionalLong keptFrom(JournalDisk disk, StreamRetention retention, long now) throws IOException {
    long start = -1;
    for (StreamSegment chunk : chunks) {
      try (Index index = new Index(disk, chunk)) {
        int gone = index.countGone(end - retention.bytes(), now - retention.age().toMillis());
        if (gone > 0) {
          start = index.end(gone - 1);
        }
        if (gone < index.size()) {
          break;
        }
      }
    }
    return start < 0 ? OptionalLong.empty() : OptionalLong.of(start);
  }

  /** A segment's entries, in memory or in its file. */
  private static final class Index implements AutoCloseable {
    private final JournalDisk disk;
    private final StreamSegment chunk;
    private JournalDisk.@Nullable File file;

    Index(JournalDisk disk, StreamSegment chunk) {
      this.disk = disk;
      this.chunk = chunk;
    }

    int size() {
      return chunk.stored() + chunk.count();
    }

    long end(int i) throws IOException {
      return i < chunk.stored() ? stored(i, 0) : chunk.entryEnd(i - chunk.stored());
    }

    private long time(int i) throws IOException {
      return i < chunk.stored() ? stored(i, Long.BYTES) : chunk.entryTime(i - chunk.stored());
    }

    private long stored(int i, int field) throws IOException {
      ByteBuffer value = ByteBuffer.allocate(Long.BYTES);
      JournalDisk.File open = file;
      if (open == null) {
        open = disk.open(chunk.indexName());
        file = open;
      }
      open.read(value, (long) i * StreamSegment.ENTRY + field);
      return value.getLong(0);
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }

    int firstEndingBehind(long position) throws IOException {
      int low = 0;
      int high = size() - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (end(middle) > position) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    /** How many of the oldest end at or before the position, or are that old. */
    int countGone(long position, long time) throws IOException {
      int low = 0;
      int high = size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (end(middle) <= position || time(middle) <= time) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
