package dev.semel.cli.tui;

import dev.semel.event.EventLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Duplicates that were blocked, newest first, and how many of each key: as far as the event log
 * says so, from its newest lines when the screen was opened.
 *
 * @param cursor where to listen on; empty: nothing was heard yet
 * @param heard the last line of each writer, so that none counts twice
 */
public record DuplicateFeed(
    String cursor, List<Blocked> newest, Map<String, Integer> byKey, Map<String, Long> heard) {
  static final DuplicateFeed EMPTY = new DuplicateFeed("", List.of(), Map.of(), Map.of());

  /** So many are kept to be shown. */
  static final int MAX_SHOWN = 200;

  /** Of so many keys the duplicates are counted; the ones counted first are dropped first. */
  static final int MAX_KEYS = 10_000;

  private static final int MAX_WRITERS = 10_000;

  /** What a request that met an earlier one is told. */
  private static final Set<String> KINDS = Set.of("replayed", "in-flight", "in-doubt");

  /** One duplicate. */
  public record Blocked(Instant at, String kind, String tenant, String operation, String id) {
    /** As {@link dev.semel.Key#text} has it. */
    String key() {
      return tenant + '/' + operation + ':' + id;
    }
  }

  public DuplicateFeed {
    newest = List.copyOf(newest);
  }

  DuplicateFeed with(List<EventLine> lines, String next) {
    List<Blocked> shown = new ArrayList<>(newest);
    Map<String, Integer> counts = new LinkedHashMap<>(byKey);
    Map<String, Long> last = heard.size() > MAX_WRITERS ? new HashMap<>() : new HashMap<>(heard);
    for (EventLine line : lines) {
      if (line.number() <= last.getOrDefault(line.writer(), 0L)) {
        continue;
      }
      last.put(line.writer(), line.number());
      if (KINDS.contains(line.kind())) {
        Blocked blocked = blocked(line);
        shown.addFirst(blocked);
        counts.merge(blocked.key(), 1, Integer::sum);
      }
    }
    while (counts.size() > MAX_KEYS) {
      counts.remove(counts.keySet().iterator().next());
    }
    return new DuplicateFeed(
        next, shown.subList(0, Math.min(shown.size(), MAX_SHOWN)), counts, last);
  }

  private static Blocked blocked(EventLine line) {
    String id = line.personal().erased() ? "(erased)" : line.personal().id();
    return new Blocked(
        Instant.ofEpochMilli(line.atMillis()), line.kind(), line.tenant(), line.operation(), id);
  }

  public int duplicatesOf(String key) {
    return byKey.getOrDefault(key, 0);
  }
}
