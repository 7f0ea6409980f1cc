package dev.semel.admin;

import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The statistics of a store: what all processes counted, and how much the store holds.
 *
 * @param store its description for people; never with a password
 * @param now on the store's clock
 * @param operations by tenant and name
 * @param trend the last day by the hour, oldest first; hours without anything are left out
 */
public record StoreStats(
    String store,
    Instant now,
    List<Operation> operations,
    List<Point> trend,
    KeyCatalog.Usage usage) {
  /** How long one point of the trend is. */
  public static final Duration STEP = Duration.ofHours(1);

  public StoreStats {
    operations = List.copyOf(operations);
    trend = List.copyOf(trend);
  }

  /**
   * The counts of one operation of one tenant.
   *
   * @param requests by the hour's beginning; hours without any are left out
   */
  public record Operation(Scope scope, DecisionCounts counts, SortedMap<Instant, Long> requests) {
    public Operation {
      requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
    }
  }

  /** The counts of all operations in one hour. */
  public record Point(Instant start, DecisionCounts counts) {}

  public DecisionCounts total() {
    return operations.stream()
        .map(Operation::counts)
        .reduce(DecisionCounts.ZERO, DecisionCounts::plus);
  }

  static StoreStats of(
      String store, Instant now, StoreAdmin.Overview overview, List<StatisticsStore.Slice> slices) {
    List<Operation> operations =
        overview.counts().entrySet().stream()
            .map(each -> new Operation(each.getKey(), each.getValue(), requests(each, slices)))
            .sorted(
                Comparator.comparing(
                    each -> each.scope().tenant().name() + " " + each.scope().operation().name()))
            .toList();
    List<Point> trend =
        slices.stream()
            .map(
                slice ->
                    new Point(
                        slice.start(),
                        slice.counts().values().stream()
                            .reduce(DecisionCounts.ZERO, DecisionCounts::plus)))
            .toList();
    return new StoreStats(store, now, operations, trend, overview.usage());
  }

  private static SortedMap<Instant, Long> requests(
      Map.Entry<Scope, DecisionCounts> each, List<StatisticsStore.Slice> slices) {
    SortedMap<Instant, Long> requests = new TreeMap<>();
    for (StatisticsStore.Slice slice : slices) {
      long count =
          slice
              .counts()
              .getOrDefault(each.getKey(), DecisionCounts.ZERO)
              .get(DecisionCounter.REQUESTS);
      if (count > 0) {
        requests.put(slice.start(), count);
      }
    }
    return requests;
  }
}
