package dev.semel.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that happened to a key, stands so now, or will happen.
 *
 * @param at on the clock of whoever wrote it down: clocks of several processes may differ
 * @param kind a word, such as {@code replayed}; see the source for which there are
 * @param who the process that wrote it, or the operator; empty: not known
 * @param facts what else is known, by name; texts from outside among them
 */
public record TimelineEntry(
    Instant at, String kind, Source source, String who, Map<String, String> facts) {
  public TimelineEntry {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** Where it is written. */
  public enum Source {
    /** The event log; kinds are those of events. */
    EVENTS,
    /** The key's record: claimed, stands, lease-ends, expires. */
    RECORD,
    /** A row of the outbox: pending, dead, published. */
    OUTBOX,
    /** What an inbox keeps: stored, in-doubt. */
    INBOX,
    /** The job of that key: enqueued, due, started, ended, stands. */
    JOBS
  }
}
