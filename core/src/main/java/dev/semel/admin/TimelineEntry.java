package dev.semel.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One entry of a {@link KeyTimeline}: something that happened to the key, its state now, or what
 * will happen.
 *
 * @param at on the clock of the process that wrote it; clocks of several processes may differ
 * @param kind a word, such as {@code replayed}; {@link Source} lists them
 * @param who the process that wrote it, or the operator; empty: not known
 * @param facts what else is known, by name; texts from outside among them
 */
public record TimelineEntry(
    Instant at, String kind, Source source, String who, Map<String, String> facts) {
  public TimelineEntry {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** Where the entry was read. */
  public enum Source {
    /** The event log; kinds are those of events. */
    EVENTS,
    /** The key's record: claimed, stands, lease-ends, expires. */
    RECORD,
    /** A row of the outbox: pending, dead, published. */
    OUTBOX,
    /** The inbox: stored, in-doubt. */
    INBOX,
    /** The job of the key: enqueued, due, started, ended, stands. */
    JOBS
  }
}
