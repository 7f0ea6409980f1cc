package dev.semel.event.internal;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The event log of one process, in memory. */
public final class MemoryEvents implements EventStore {
  private final InstantSource clock;
  private final TreeMap<Long, Kept> lines = new TreeMap<>();
  private final Map<String, Chain> chains = new HashMap<>();
  private long position;

  private record Kept(EventLine line, long appendedAt) {}

  public MemoryEvents(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void append(List<EventLine> batch) {
    for (EventLine line : batch) {
      Chain chain = chains.get(line.writer());
      if (chain == null || line.number() > chain.last()) {
        lines.put(++position, new Kept(line, clock.millis()));
        chains.put(
            line.writer(),
            chain == null
                ? new Chain(line.number(), line.previous(), line.number(), line.hash())
                : new Chain(chain.first(), chain.before(), line.number(), line.hash()));
      }
    }
  }

  @Override
  public synchronized Page read(String cursor, int limit) {
    long after = cursor.isEmpty() ? 0 : position(cursor);
    List<EventLine> page = new ArrayList<>();
    for (Map.Entry<Long, Kept> entry : lines.tailMap(after, false).entrySet()) {
      if (page.size() == Math.clamp(limit, 1, MAX_PAGE)) {
        break;
      }
      page.add(entry.getValue().line());
      after = entry.getKey();
    }
    return new Page(page, Long.toString(after));
  }

  private static long position(String cursor) {
    try {
      return Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw new InvalidInput(
          "%s is no cursor of this log: begin without one".formatted(PrintableText.quoted(cursor)));
    }
  }

  @Override
  public synchronized String end() {
    return Long.toString(position);
  }

  @Override
  public synchronized List<EventLine> latest(int limit) {
    return newest(limit, lines.values().stream().map(Kept::line).toList());
  }

  @Override
  public synchronized List<EventLine> about(Key key, int limit) {
    return newest(
        limit, lines.values().stream().map(Kept::line).filter(line -> line.isAbout(key)).toList());
  }

  private static List<EventLine> newest(int limit, List<EventLine> all) {
    int size = Math.min(all.size(), Math.clamp(limit, 1, MAX_PAGE));
    return List.copyOf(all.subList(all.size() - size, all.size()));
  }

  @Override
  public synchronized Map<String, Chain> chains() {
    return Map.copyOf(chains);
  }

  @Override
  public synchronized int erase(Key key) {
    int erased = 0;
    for (Map.Entry<Long, Kept> entry : lines.entrySet()) {
      Kept kept = entry.getValue();
      if (kept.line().isAbout(key)) {
        entry.setValue(new Kept(kept.line().erased(), kept.appendedAt()));
        erased++;
      }
    }
    return erased;
  }

  @Override
  public synchronized int trim(Duration age, long keep, int limit) {
    long before = clock.millis() - age.toMillis();
    int trimmed = 0;
    while (!lines.isEmpty()
        && trimmed < limit
        && (lines.size() > keep || lines.firstEntry().getValue().appendedAt() < before)) {
      EventLine line = lines.pollFirstEntry().getValue().line();
      chains.computeIfPresent(
          line.writer(),
          (writer, chain) ->
              line.number() >= chain.last()
                  ? null
                  : new Chain(line.number() + 1, line.hash(), chain.last(), chain.hash()));
      trimmed++;
    }
    return trimmed;
  }
}
