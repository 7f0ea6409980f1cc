package dev.semel.stream.internal.shared;

import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.ByteSink;
import dev.semel.stream.internal.ByteSource;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamTable;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The state of a shared log up to a message, as bytes: streams, their producers, and which message
 * holds which data. It saves a starting engine from reading the whole log; it can be lost without
 * harm.
 */
final class SharedCheckpoint {
  /** Raised when the fields change; checkpoints of other versions are ignored. */
  private static final int VERSION = 1;

  private SharedCheckpoint() {}

  static byte[] encode(
      StreamTable table, Map<Long, SharedIndex> indexes, Map<StreamPath, Long> lasts) {
    ByteSink out = new ByteSink();
    out.put(VERSION);
    out.number(table.nextIncarnation() - 1);
    out.number(table.size());
    // A source is older than its forks, so it exists when they are read.
    List<StreamState> oldestFirst =
        table.all().stream().sorted(Comparator.comparingLong(StreamState::incarnation)).toList();
    for (StreamState state : oldestFirst) {
      state.writeTo(out);
      out.number(lasts.getOrDefault(state.path(), 0L));
      SharedIndex index = indexes.get(state.incarnation());
      if (index == null) {
        throw new IllegalStateException("a stream without an index: " + state.path());
      }
      index.writeTo(out);
    }
    ByteBuffer encoded = out.buffer();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  /** Whether {@link #decode} can read it. */
  static boolean known(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == VERSION;
  }

  /**
   * Fills an empty table and maps.
   *
   * @throws dev.semel.StoreException not of a known version; what was filled is then useless
   */
  static void decode(
      byte[] bytes,
      StreamTable table,
      Map<Long, SharedIndex> indexes,
      Map<StreamPath, Long> lasts) {
    ByteSource in = new ByteSource(ByteBuffer.wrap(bytes));
    if (in.get() != VERSION) {
      throw ByteSource.broken();
    }
    try {
      long lastIncarnation = in.number();
      int count = in.count();
      for (int i = 0; i < count; i++) {
        StreamState state = StreamState.read(in, table);
        table.restore(state);
        lasts.put(state.path(), in.number());
        StreamState source = state.source();
        indexes.put(
            state.incarnation(),
            SharedIndex.read(
                in,
                state.base().position(),
                state.config().type().json(),
                source == null ? null : indexes.get(source.incarnation())));
      }
      table.restoreLast(lastIncarnation);
      in.end();
    } catch (IllegalArgumentException e) { // a value that its own type refuses
      throw ByteSource.broken();
    }
  }
}
