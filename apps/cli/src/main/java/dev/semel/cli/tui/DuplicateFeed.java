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
 * Blocked duplicates, newest first, and their number per key, from the event log since its newest
 * lines when the screen was opened.
 *
 * @param cursor of the next read; empty: nothing was read yet
 * @param heard the last line of each writer, so that none counts twice
 */
public record DuplicateFeed(
    String cursor, List<Blocked> newest, Map<String, Integer> byKey, Map<String, Long> heard) {
  static final DuplicateFeed EMPTY = new DuplicateFeed("", List.of(), Map.of(), Map.of());

  /** Limit of shown duplicates. */
  static final int MAX_SHOWN = 200;

  /** Limit of keys with a count; the oldest are dropped first. */
  static final int MAX_KEYS = 10_000;

  private static final int MAX_WRITERS = 10_000;

  /** Events of requests that met an earlier one. */
  private static final Set<String> KINDS = Set.of("replayed", "in-flight", "in-doubt");

  /** One duplicate. */
  public record Blocked(Instant at, String kind, String tenant, String operation, String id) {
    /** The key's text, like {@link dev.semel.Key#text}. */
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
