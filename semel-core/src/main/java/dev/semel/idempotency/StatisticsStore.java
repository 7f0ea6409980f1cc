package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Keeps the counts that processes add up; see {@link Statistics} for why they come in deltas. */
public interface StatisticsStore {
  /** How long the counts of single minutes are kept. */
  Duration TREND = Duration.ofHours(24);

  /**
   * Adds to the totals and to the current minute on the store's clock, both or neither. Stores keep
   * counts by {@link Counts#fields()}, whatever fields there are.
   */
  void add(Map<Scope, Counts> deltas);

  /** The totals since the last reset. */
  Map<Scope, Counts> read();

  /**
   * What was counted in the last {@link #TREND}, in slices of {@code step}, oldest first; slices in
   * which nothing was counted are left out.
   *
   * @param step whole minutes; slices start at multiples of it since the epoch
   */
  default List<Slice> trend(Duration step) {
    return trend(step, TREND);
  }

  /**
   * The same of the last {@code back} alone, with the minute in which that begins and the one that
   * goes on: for who asks often and needs little.
   *
   * @param back at most {@link #TREND}
   */
  List<Slice> trend(Duration step, Duration back);

  /** Totals and minutes start from zero. */
  void reset();

  /** What is counted apart. */
  record Scope(Tenant tenant, Operation operation) {}

  /** The counts of one stretch of time. */
  record Slice(Instant start, Map<Scope, Counts> counts) {
    public Slice {
      counts = Map.copyOf(counts);
    }
  }
}
