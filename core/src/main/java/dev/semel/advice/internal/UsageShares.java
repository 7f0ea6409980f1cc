package dev.semel.advice.internal;

import dev.semel.Operation;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates how much of a store's content belongs to each operation. Stores count their records
 * together, so an operation's share is the number of records that it begins, times how long it
 * keeps them.
 */
final class UsageShares {
  private final KeyCatalog.Usage usage;
  private final Map<Operation, Double> weights = new HashMap<>();
  private double all;

  UsageShares(KeyCatalog.Usage usage) {
    this.usage = usage;
  }

  void add(Operation operation, DecisionCounts counts, Duration retention) {
    double weight = (double) firsts(counts) * retention.toMillis();
    weights.merge(operation, weight, Double::sum);
    all += weight;
  }

  /** Requests that were not duplicates. */
  static long firsts(DecisionCounts counts) {
    return Math.max(
        0,
        counts.get(DecisionCounter.REQUESTS)
            - counts.get(DecisionCounter.DUPLICATES)
            - counts.get(DecisionCounter.MISMATCHES));
  }

  /** About how many bytes would be saved; negative: more would be needed. */
  long saved(Operation operation, Duration before, Duration after) {
    if (all == 0 || before.isZero()) {
      return 0;
    }
    double bytes = usage.bytes() * weights.getOrDefault(operation, 0.0) / all;
    return Math.round(bytes * (1 - (double) after.toMillis() / before.toMillis()));
  }
}
