package dev.semel.idempotency.spi;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Keeps the counts of decisions. A process sums its counts and adds the new ones once a second, so
 * that counting is never in a claim's path.
 */
public interface StatisticsStore {
  /** How long the counts of single minutes are kept. */
  Duration TREND = Duration.ofHours(24);

  /**
   * How long a store remembers at least the number of a writer's last batch. A batch that is
   * repeated after that is counted again.
   */
  Duration NUMBERS_KEPT = TREND;

  /**
   * Adds to the totals and to the current minute on the store's clock, both or neither, and stores
   * the batch's number in the same step. A batch with a number that its writer has reached already
   * is ignored, so that a batch whose answer was lost can be sent again. Stores keep counts by
   * {@link DecisionCounts#fields()}, whatever fields there are. {@link #reset} forgets no number.
   */
  void add(Batch batch);

  /** Adds counts that are never sent again. */
  default void add(Map<Scope, DecisionCounts> deltas) {
    add(new Batch(Ids.uuid7().toString(), 1, deltas));
  }

  /** The totals since the last reset. */
  Map<Scope, DecisionCounts> read();

  /**
   * The counts of the last {@link #TREND}, in slices of {@code step}, oldest first; slices without
   * counts are left out.
   *
   * @param step whole minutes; slices start at multiples of it since the epoch
   */
  default List<Slice> trend(Duration step) {
    return trend(step, TREND);
  }

  /**
   * The counts of the last {@code back} only, including its first minute and the current one: for
   * frequent callers that need little.
   *
   * @param back at most {@link #TREND}
   */
  List<Slice> trend(Duration step, Duration back);

  /** Resets totals and minutes to zero. */
  void reset();

  /**
   * The counts that a process adds at once.
   *
   * @param writer identifies the process; never used by another
   * @param number greater than that of the writer's batch before
   */
  record Batch(String writer, long number, Map<Scope, DecisionCounts> deltas) {
    public Batch {
      deltas = Map.copyOf(deltas);
    }
  }

  /** A tenant and an operation, which are counted separately. */
  record Scope(Tenant tenant, Operation operation) {}

  /** The counts of one period. */
  record Slice(Instant start, Map<Scope, DecisionCounts> counts) {
    public Slice {
      counts = Map.copyOf(counts);
    }
  }
}
