package dev.semel.stream;

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

/** The state and the data that belongs to it, changed together. Guarded by its engine. */
final class MemoryData implements Storage {
  private final StreamTable table = new StreamTable();
  private final Map<Long, MemoryLog> logs = new HashMap<>();
  private final Consumer<Change> journal;

  /**
   * @param journal is told of every change before it is applied, in order
   */
  MemoryData(Consumer<Change> journal) {
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
  public void write(Change change) {
    journal.accept(change);
    List<Long> ended = table.apply(change);
    long stream = change.stream();
    switch (change) {
      case Change.Created c -> {
        MemoryLog source = c.source() == 0 ? null : log(c.source());
        MemoryLog log = new MemoryLog(c.base().position(), c.config().type().json(), source);
        log.add(c.body(), c.at());
        logs.put(stream, log);
      }
      case Change.Appended c -> log(stream).add(c.body(), c.at());
      case Change.Trimmed c -> log(stream).drop(c.start().position());
      case Change.Closed c -> {}
      case Change.Deleted c -> {}
      case Change.Expired c -> {}
      case Change.Touched c -> {}
      case Change.ProducerExpired c -> {}
      case Change.ProducerFenced c -> {}
    }
    ended.forEach(logs::remove);
  }

  /** Memory is as safe as it gets. */
  @Override
  public void commit() {}

  @Override
  public OptionalLong beyond(StreamState stream, Offset anchor, long units) {
    return log(stream.incarnation()).beyond(anchor.position(), units);
  }

  @Override
  public OptionalLong keptFrom(StreamState state, Retention retention, long now) {
    return log(state.incarnation()).keptFrom(retention, now);
  }

  @Override
  public Supplier<Answer.ToRead> read(Head head, ReadFrom from, int maxBytes, boolean toSend) {
    Answer.ToRead answer = readNow(head, from, maxBytes);
    return () -> answer;
  }

  private Answer.ToRead readNow(Head head, ReadFrom from, int maxBytes) {
    Offset start = from.in(head);
    return outside(head, start)
        .orElseGet(() -> read(log(head.incarnation()), head, start, maxBytes));
  }

  /** Why nothing can be read there, whatever the data is. */
  static Optional<Answer.ToRead> outside(Head head, Offset start) {
    if (start.compareTo(head.start()) < 0) {
      return Optional.of(new Answer.BelowHorizon(head.start()));
    }
    return start.compareTo(head.tail()) > 0 ? Optional.of(refused(start)) : Optional.empty();
  }

  private static Answer.Malformed refused(Offset start) {
    return new Answer.Malformed(
        "the offset %s is none of this stream: send one as this server gave it".formatted(start));
  }

  static Answer.ToRead read(MemoryLog log, Head head, Offset start, int maxBytes) {
    if (log.beyond(start.position(), 0).isEmpty()) {
      return refused(start);
    }
    List<ByteBuffer> stored = new ArrayList<>();
    long end = log.read(start.position(), head.tail().position(), maxBytes, stored);
    Offset next = new Offset(end);
    boolean all = next.equals(head.tail());
    return new Answer.Data(
        new Slice(head, start, List.copyOf(stored), next, all, all && head.closed()));
  }
}
