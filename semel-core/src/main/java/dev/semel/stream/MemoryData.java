package dev.semel.stream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The state and the data that belongs to it, changed together. Guarded by its engine. */
final class MemoryData implements Boundaries {
  private final StreamTable table = new StreamTable();
  private final Map<Long, MemoryLog> logs = new HashMap<>();
  private final Consumer<Change> journal;
  private final Waiters waiters;

  MemoryData(Consumer<Change> journal, Waiters waiters) {
    this.journal = journal;
    this.waiters = waiters;
  }

  StreamTable table() {
    return table;
  }

  private MemoryLog log(long stream) {
    return Objects.requireNonNull(logs.get(stream), "a stream without a log");
  }

  /** Write, then apply, then find those who were waiting for it. */
  void commit(Change change, List<Runnable> awake) {
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
      case Change.Appended c -> {
        log(stream).add(c.body(), c.at());
        if (c.closes()) {
          waiters.ended(stream, awake);
        } else {
          waiters.reached(stream, log(stream).end(), awake);
        }
      }
      case Change.Trimmed c -> log(stream).drop(c.start().position());
      case Change.Closed c -> waiters.ended(stream, awake);
      case Change.Deleted c -> waiters.ended(stream, awake);
      case Change.Expired c -> waiters.ended(stream, awake);
      case Change.Touched c -> {}
      case Change.ProducerExpired c -> {}
      case Change.ProducerFenced c -> {}
    }
    ended.forEach(logs::remove);
  }

  @Override
  public OptionalLong beyond(StreamState stream, Offset anchor, long units) {
    return log(stream.incarnation()).beyond(anchor.position(), units);
  }

  OptionalLong keptFrom(StreamState state, Retention retention, long now) {
    return log(state.incarnation()).keptFrom(retention, now);
  }

  Answer.ToRead read(Head head, ReadFrom from, int maxBytes) {
    Offset start =
        switch (from) {
          case ReadFrom.Start s -> head.start();
          case ReadFrom.Now n -> head.tail();
          case ReadFrom.At a -> a.offset();
        };
    if (start.compareTo(head.start()) < 0) {
      return new Answer.BelowHorizon(head.start());
    }
    MemoryLog log = log(head.incarnation());
    if (start.compareTo(head.tail()) > 0 || log.beyond(start.position(), 0).isEmpty()) {
      return new Answer.Malformed(
          "the offset %s is none of this stream: send one as this server gave it".formatted(start));
    }
    List<ByteBuffer> stored = new ArrayList<>();
    long end = log.read(start.position(), head.tail().position(), Math.max(1, maxBytes), stored);
    Offset next = new Offset(end);
    boolean all = next.equals(head.tail());
    return new Answer.Data(
        new Slice(head, start, List.copyOf(stored), next, all, all && head.closed()));
  }
}
