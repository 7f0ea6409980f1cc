package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A wake in flight.
 *
 * @param snapshot what was pending when it was issued, and how far; a webhook's <i>done</i>
 *     acknowledges it
 * @param worker the worker that claimed it; empty: none
 * @param accepted whether the webhook's receiver accepted it
 */
public record Wake(
    long generation,
    String id,
    long at,
    Map<StreamPath, Offset> snapshot,
    String worker,
    boolean accepted) {
  public Wake {
    snapshot = Collections.unmodifiableMap(new LinkedHashMap<>(snapshot));
  }

  boolean claimed() {
    return !worker.isEmpty();
  }

  /** Whether it has a holder, so that a lease runs. */
  boolean held() {
    return accepted || claimed();
  }

  Wake claimedBy(String name) {
    return new Wake(generation, id, at, snapshot, name, accepted);
  }

  Wake acceptedNow() {
    return new Wake(generation, id, at, snapshot, worker, true);
  }
}
