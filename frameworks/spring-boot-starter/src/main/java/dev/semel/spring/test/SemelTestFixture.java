package dev.semel.spring.test;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Controls the store's clock and counts executions in an application's tests. Safe for many
 * threads; call {@link #reset} between tests.
 */
public final class SemelTestFixture implements InstantSource, SemelListener {
  /** Later events are ignored: a test that causes more must reset in between. */
  public static final int MAX_EVENTS = 100_000;

  private final List<Event.Keyed> events = new ArrayList<>();
  private Instant now = Instant.now();

  /** Advances the store's clock, so that leases and retentions end. */
  public synchronized void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not run backwards: " + duration);
    }
    now = now.plus(duration);
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized void on(Event event) {
    if (event instanceof Event.Keyed keyed && events.size() < MAX_EVENTS) {
      events.add(keyed);
    }
  }

  /** Forgets all events so far; the store's records stay. */
  public synchronized void reset() {
    events.clear();
  }

  /** How often the operation was executed to its end with this id, in all tenants. */
  public long executions(String operation, String id) {
    return count(operation, id, Event.Completed.class)
        + count(operation, id, Event.FailureStored.class)
        + count(operation, id, Event.Unrecorded.class);
  }

  /** How often a duplicate got the first execution's result. */
  public long replays(String operation, String id) {
    return count(operation, id, Event.Replayed.class);
  }

  private synchronized long count(String operation, String id, Class<? extends Event.Keyed> kind) {
    return events.stream()
        .filter(kind::isInstance)
        .map(Event.Keyed::key)
        .filter(key -> key.operation().name().equals(operation) && key.id().equals(id))
        .count();
  }

  /**
   * Fails unless the operation was executed to its end exactly once with this id.
   *
   * @throws AssertionError names the actual count, and the other executions
   */
  public void assertExecutedOnce(String operation, String id) {
    long times = executions(operation, id);
    if (times != 1) {
      throw new AssertionError(
          "%s:%s was executed %d times instead of once; executed were %s"
              .formatted(operation, id, times, executed()));
    }
  }

  private synchronized List<String> executed() {
    return events.stream()
        .filter(Event.Completed.class::isInstance)
        .map(Event.Keyed::key)
        .map(Key::text)
        .distinct()
        .limit(20)
        .toList();
  }
}
