package dev.semel.idempotency.internal;

import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects when an operation gets far more duplicates than usual: a sender that retries too eagerly,
 * a webhook that is sent repeatedly. Its {@link HitRateBaseline}, as this process sees it, defines
 * what is usual. For one thread; needs no clock, because it gets the counts once a second.
 */
public final class DuplicateStorms {
  /** How many seconds are judged together; more until there are enough requests. */
  static final int WINDOW = 10;

  /** A window that is not full by then is dropped. */
  static final int LONGEST_WINDOW = 60;

  /** The state of one operation. */
  private static final class Watched {
    int seconds;
    DecisionCounts window = DecisionCounts.ZERO;
    final HitRateBaseline baseline = new HitRateBaseline(HitRateBaseline.LEAST, 0);
    boolean storm;
  }

  private final Map<Operation, Watched> watched = new HashMap<>();

  /** Takes the counts of the last second; returns the resulting events. */
  public List<Event> after(Map<StatisticsStore.Scope, DecisionCounts> second) {
    second.forEach(
        (scope, counts) -> {
          Watched one = watched.computeIfAbsent(scope.operation(), o -> new Watched());
          one.window = one.window.plus(counts);
        });
    List<Event> events = new ArrayList<>();
    watched.forEach((operation, one) -> judge(operation, one, events));
    return events;
  }

  private static void judge(Operation operation, Watched one, List<Event> events) {
    one.seconds++;
    boolean enough = one.window.get(DecisionCounter.REQUESTS) >= HitRateBaseline.MIN_REQUESTS;
    if (one.seconds < WINDOW || (!enough && one.seconds < LONGEST_WINDOW)) {
      return;
    }
    if (enough) {
      double rate = 100 * one.window.hitRate();
      double threshold = one.baseline.high();
      boolean storm = one.baseline.judge(rate) == HitRateBaseline.Standing.HIGH;
      if (storm != one.storm) {
        one.storm = storm;
        String suggestion = storm ? suggestion(one.window) : "";
        events.add(new Event.DuplicateStorm(operation, rate, threshold, suggestion, !storm));
      }
    }
    one.seconds = 0;
    one.window = DecisionCounts.ZERO;
  }

  /** Chosen by the ages at which the duplicates arrived. */
  private static String suggestion(DecisionCounts window) {
    long early = window.get(DuplicateAge.SECOND) + window.get(DuplicateAge.SECONDS_2);
    return 2 * early > window.get(DecisionCounter.DUPLICATES)
        ? "callers retry before they are answered: review their timeouts, or let duplicates wait"
        : "the same requests come again long after the first: review the sender's configuration";
  }
}
