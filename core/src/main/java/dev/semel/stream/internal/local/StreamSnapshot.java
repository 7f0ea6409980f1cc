package dev.semel.stream.internal.local;

import dev.semel.StoreException;
import dev.semel.stream.internal.ByteSink;
import dev.semel.stream.internal.ByteSource;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The whole state of an engine as bytes: the result of all changes up to some moment. The format
 * has a version; docs/journal-format.md describes it.
 */
final class StreamSnapshot {
  private static final int VERSION = 1;

  private StreamSnapshot() {}

  static ByteBuffer encode(StreamTable table, Map<Long, StreamLog> logs) {
    ByteSink out = new ByteSink();
    out.put(VERSION);
    out.number(table.nextIncarnation() - 1);
    out.number(table.size());
    // A source is older than its forks, so it exists when they are read.
    table.all().stream()
        .sorted(Comparator.comparingLong(StreamState::incarnation))
        .forEach(
            state -> {
              state.writeTo(out);
              StreamLog log = logs.get(state.incarnation());
              chunks(log == null ? List.of() : log.chunks(), out);
            });
    return out.buffer();
  }

  private static void chunks(List<StreamSegment> chunks, ByteSink out) {
    out.number(chunks.size());
    for (StreamSegment chunk : chunks) {
      out.number(chunk.start());
      out.number(chunk.end());
      out.number(chunk.stored());
      out.number(chunk.count());
      for (int i = 0; i < chunk.count(); i++) {
        out.number(chunk.entryEnd(i));
        out.number(chunk.entryTime(i));
      }
    }
  }

  /** Fills an empty table and map. */
  static void decode(ByteBuffer bytes, StreamTable table, Map<Long, StreamLog> logs) {
    ByteSource in = new ByteSource(bytes);
    if (in.get() != VERSION) {
      throw new StoreException(
          "the snapshot of the streams has a version that this program doesn't know: use the one that wrote it, or a later one");
    }
    long lastIncarnation = in.number();
    int count = in.count();
    for (int i = 0; i < count; i++) {
      StreamState state = StreamState.read(in, table);
      table.restore(state);
      StreamState source = state.source();
      StreamLog inherited = source == null ? null : logs.get(source.incarnation());
      List<StreamSegment> chunks = chunks(state.incarnation(), in);
      logs.put(state.incarnation(), new StreamLog(state, inherited, chunks));
    }
    table.restoreLast(lastIncarnation);
    in.end();
  }

  private static List<StreamSegment> chunks(long stream, ByteSource in) {
    int count = in.count();
    List<StreamSegment> chunks = new ArrayList<>(Math.max(1, count));
    for (int i = 0; i < count; i++) {
      long start = in.number();
      long end = in.number();
      int stored = Math.toIntExact(in.number());
      long[] entries = new long[2 * in.count()];
      for (int e = 0; e < entries.length; e++) {
        entries[e] = in.number();
      }
      chunks.add(new StreamSegment(stream, start, end, stored, entries));
    }
    return chunks;
  }
}
