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
 * Hears of every failed turn of every background loop in this process: counts it by the loop's
 * name, logs it to {@code dev.semel.loop}, and passes an event {@link Event.LoopFailed} to those
 * who listen to {@link ProcessEvents}. Log lines and events are limited to one a minute and loop;
 * the count has all.
 */
public final class LoopFailures {
  /** Most loops that are counted apart; beyond it they are counted as {@link #OTHERS}. */
  public static final int MAX_LOOPS = 200;

  public static final String OTHERS = "other";

  private static final Log LOG = Log.of("loop", 1);
  private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

  private LoopFailures() {}

  /**
   * Also for a step that catches what went wrong, because it goes on in its own way.
   *
   * @param loop its name, such as {@code semel-relay}
   */
  public static void report(String loop, Throwable failure) {
    String text = "background loop %s failed and will try again".formatted(loop);
    reportLogged(loop, failure, LOG.warn(loop, text, failure));
  }

  /**
   * The same for a loop that logs the failure in its own feature's words, such as an outage.
   *
   * @param written whether the line was within its limit: then there is an event, too
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

  /** How often this one has failed. */
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
