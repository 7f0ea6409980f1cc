package dev.semel.idempotency.spi;

import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Keeps the counts of what processes decide. A process adds its counts up and hands over what is
 * new, once a second, so that counting never sits in a claim's path.
 */
public interface StatisticsStore {
  /** How long the counts of single minutes are kept. */
  Duration TREND = Duration.ofHours(24);

  /**
   * How long a store knows up to which number a writer's batches were added, at least. Repeated
   * later, a batch is counted again.
   */
  Duration NUMBERS_KEPT = TREND;

  /**
   * Adds to the totals and to the current minute on the store's clock, both or neither, and in the
   * same step notes the batch's number. A batch whose number its writer has reached already is left
   * out, so that one whose answer was lost can be sent again. Stores keep counts by {@link
   * DecisionCounts#fields()}, whatever fields there are. {@link #reset} forgets no number.
   */
  void add(Batch batch);

  /** Adds what is never sent again. */
  default void add(Map<Scope, DecisionCounts> deltas) {
    add(new Batch(Ids.uuid7().toString(), 1, deltas));
  }

  /** The totals since the last reset. */
  Map<Scope, DecisionCounts> read();

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

  /**
   * What a process hands over at once.
   *
   * @param writer names the process, and no other ever
   * @param number greater than that of the writer's batch before
   */
  record Batch(String writer, long number, Map<Scope, DecisionCounts> deltas) {
    public Batch {
      deltas = Map.copyOf(deltas);
    }
  }

  /** What is counted apart. */
  record Scope(Tenant tenant, Operation operation) {}

  /** The counts of one stretch of time. */
  record Slice(Instant start, Map<Scope, DecisionCounts> counts) {
    public Slice {
      counts = Map.copyOf(counts);
    }
  }
}
