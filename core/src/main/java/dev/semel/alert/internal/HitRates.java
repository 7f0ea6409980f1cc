package dev.semel.alert.internal;

import dev.semel.alert.AlertUnit;
import dev.semel.idempotency.internal.HitRateBaseline;
import dev.semel.idempotency.internal.HitRateBaseline.Standing;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Each operation's share of duplicates and its usual share, by minute, as all processes together
 * counted. For one thread.
 */
final class HitRates {
  /** How many shares of an operation only teach: without a past nothing is unusual. */
  static final int LESSONS = 10;

  /** A window that is not full by then is dropped. */
  static final Duration LONGEST_WINDOW = Duration.ofMinutes(10);

  /** A judgement older than this says nothing about now. */
  static final Duration STALE = Duration.ofMinutes(30);

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The state of one operation. */
  private static final class Watched {
    private final HitRateBaseline baseline;
    private DecisionCounts window = DecisionCounts.ZERO;
    private Instant windowStart = Instant.MIN;
    private Instant judged = Instant.MIN;
    private double rate;
    private double high;
    private double low;

    Watched(double least) {
      this.baseline = new HitRateBaseline(least, LESSONS);
    }

    void add(DecisionCounts counts, Instant minute) {
      if (window.equals(DecisionCounts.ZERO)
          || windowStart.plus(LONGEST_WINDOW).compareTo(minute) <= 0) {
        window = DecisionCounts.ZERO;
        windowStart = minute;
      }
      window = window.plus(counts);
      if (window.get(DecisionCounter.REQUESTS) >= HitRateBaseline.MIN_REQUESTS) {
        rate = 100 * window.hitRate();
        high = baseline.high();
        low = baseline.low();
        baseline.judge(rate);
        judged = minute;
        window = DecisionCounts.ZERO;
      }
    }
  }

  private final double least;
  private final Map<String, Watched> watched = new TreeMap<>();
  private Instant done = Instant.MIN;

  HitRates(double least) {
    this.least = least;
  }

  /** Learns from every finished minute that was not seen yet. */
  void learn(List<Slice> minutes, Instant now) {
    for (Slice slice : minutes) {
      boolean over = !slice.start().plus(MINUTE).isAfter(now);
      if (over && slice.start().isAfter(done)) {
        done = slice.start();
        MinuteWindows.byOperation(List.of(slice))
            .forEach((operation, counts) -> of(operation).add(counts, slice.start()));
      }
    }
  }

  private Watched of(String operation) {
    boolean room = watched.containsKey(operation) || watched.size() < MinuteWindows.MAX_SUBJECTS;
    return watched.computeIfAbsent(room ? operation : MinuteWindows.OTHER, o -> new Watched(least));
  }

  List<RuleReading> readings(Instant now) {
    List<RuleReading> readings = new ArrayList<>();
    watched.forEach(
        (operation, one) -> {
          if (one.judged.isAfter(now.minus(STALE))) {
            readings.add(reading(operation, one));
          }
        });
    return readings;
  }

  private static RuleReading reading(String operation, Watched one) {
    Standing standing = one.baseline.standing();
    double limit = standing == Standing.LOW ? one.low : one.high;
    return new RuleReading(
        operation,
        one.rate,
        limit,
        standing == Standing.USUAL ? RuleReading.Zone.CALM : RuleReading.Zone.BEYOND,
        "%s of the requests of %s are duplicates, where %s is usual; the limit is %s"
            .formatted(
                AlertUnit.PERCENT.brief(one.rate),
                operation,
                AlertUnit.PERCENT.brief(one.baseline.usual()),
                AlertUnit.PERCENT.brief(limit)));
  }
}
