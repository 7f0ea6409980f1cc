package dev.semel.loop.internal;

import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import dev.semel.log.internal.Log;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Receives every failed turn of every background loop in this process: counts it by the loop's
 * name, logs it to {@code dev.semel.loop}, and emits an {@link Event.LoopFailed} to the listeners
 * of {@link ProcessEvents}. Log lines and events are limited to one per minute and loop; the count
 * has all failures.
 */
public final class LoopFailures {
  /** How many loops are counted separately; further ones are counted as {@link #OTHERS}. */
  public static final int MAX_LOOPS = 200;

  public static final String OTHERS = "other";

  private static final Log LOG = Log.of("loop", 1);
  private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

  private LoopFailures() {}

  /**
   * Reports a failure; also for a step that catches its exception because it continues in its own
   * way.
   *
   * @param loop its name, such as {@code semel-relay}
   */
  public static void report(String loop, Throwable failure) {
    String text = "background loop %s failed and will try again".formatted(loop);
    reportLogged(loop, failure, LOG.warn(loop, text, failure));
  }

  /**
   * Reports a failure that its loop logged in the words of its feature, such as an outage.
   *
   * @param written whether the line was within its limit: then there is also an event
   */
  public static void reportLogged(String loop, Throwable failure, boolean written) {
    counter(loop).increment();
    if (written) {
      ProcessEvents.emit(new Event.LoopFailed(loop, count(loop), String.valueOf(failure)));
    }
  }

  /** How often each loop has failed since the process started. */
  public static Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    COUNTS.forEach((loop, count) -> counts.put(loop, count.sum()));
    return counts;
  }

  /** How often this loop has failed. */
  public static long count(String loop) {
    LongAdder count = COUNTS.get(loop);
    return count == null ? 0 : count.sum();
  }

  private static LongAdder counter(String loop) {
    LongAdder known = COUNTS.get(loop);
    if (known != null) {
      return known;
    }
    String apart = COUNTS.size() < MAX_LOOPS ? loop : OTHERS;
    return Objects.requireNonNull(COUNTS.computeIfAbsent(apart, n -> new LongAdder()));
  }
}
