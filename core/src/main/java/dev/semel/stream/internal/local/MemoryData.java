package dev.semel.stream.internal.local;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamRetention;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamStorage;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** State and data in memory, which change together. The engine guards it. */
public final class MemoryData implements StreamStorage {
  private final StreamTable table = new StreamTable();
  private final Map<Long, MemoryLog> logs = new HashMap<>();
  private final Consumer<StreamChange> journal;

  /**
   * @param journal receives every change before it is applied, in order
   */
  public MemoryData(Consumer<StreamChange> journal) {
    this.journal = journal;
  }

  @Override
  public StreamTable table() {
    return table;
  }

  private MemoryLog log(long stream) {
    return Objects.requireNonNull(logs.get(stream), "a stream without a log");
  }

  @Override
  public void write(StreamChange change) {
    journal.accept(change);
    List<Long> ended = table.apply(change);
    long stream = change.stream();
    switch (change) {
      case StreamChange.Created c -> {
        MemoryLog source = c.source() == 0 ? null : log(c.source());
        MemoryLog log = new MemoryLog(c.base().position(), c.config().type().json(), source);
        log.add(c.body(), c.at());
        logs.put(stream, log);
      }
      case StreamChange.Appended c -> log(stream).add(c.body(), c.at());
      case StreamChange.Trimmed c -> log(stream).drop(c.start().position());
      case StreamChange.Closed c -> {}
      case StreamChange.Deleted c -> {}
      case StreamChange.Expired c -> {}
      case StreamChange.Touched c -> {}
      case StreamChange.ProducerExpired c -> {}
      case StreamChange.ProducerFenced c -> {}
    }
    ended.forEach(logs::remove);
  }

  /** Memory has nothing to commit. */
  @Override
  public void commit() {}

  @Override
  public OptionalLong beyond(StreamState stream, Offset anchor, long units) {
    return log(stream.incarnation()).beyond(anchor.position(), units);
  }

  @Override
  public OptionalLong keptFrom(StreamState state, StreamRetention retention, long now) {
    return log(state.incarnation()).keptFrom(retention, now);
  }

  @Override
  public Supplier<StreamResult.ToRead> read(
      StreamHead head, ReadFrom from, int maxBytes, boolean toSend) {
    StreamResult.ToRead answer = readNow(head, from, maxBytes);
    return () -> answer;
  }

  private StreamResult.ToRead readNow(StreamHead head, ReadFrom from, int maxBytes) {
    Offset start = from.in(head);
    return outside(head, start)
        .orElseGet(() -> read(log(head.incarnation()), head, start, maxBytes));
  }

  /** Why nothing can be read at this offset, whatever the data is. */
  public static Optional<StreamResult.ToRead> outside(StreamHead head, Offset start) {
    if (start.compareTo(head.start()) < 0) {
      return Optional.of(new StreamResult.BelowHorizon(head.start()));
    }
    return start.compareTo(head.tail()) > 0 ? Optional.of(refused(start)) : Optional.empty();
  }

  private static StreamResult.Malformed refused(Offset start) {
    return new StreamResult.Malformed(
        "the offset %s is none of this stream: send one as this server gave it".formatted(start));
  }

  public static StreamResult.ToRead read(
      MemoryLog log, StreamHead head, Offset start, int maxBytes) {
    if (log.beyond(start.position(), 0).isEmpty()) {
      return refused(start);
    }
    List<ByteBuffer> stored = new ArrayList<>();
    long end = log.read(start.position(), head.tail().position(), maxBytes, stored);
    Offset next = new Offset(end);
    boolean all = next.equals(head.tail());
    return new StreamResult.Data(
        new DataSlice(head, start, List.copyOf(stored), next, all, all && head.closed()));
  }
}
