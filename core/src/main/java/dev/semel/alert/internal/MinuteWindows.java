package dev.semel.alert.internal;

import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums the counts of single minutes by operation. */
final class MinuteWindows {
  /** How many operations, destinations, consumers and queues have separate alerts. */
  static final int MAX_SUBJECTS = 100;

  /** The subject of all further ones together. */
  static final String OTHER = "other";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private MinuteWindows() {}

  /** The counts of minutes that overlap the last {@code back}. */
  static Map<String, DecisionCounts> within(List<Slice> minutes, Instant now, Duration back) {
    Instant from = now.minus(back);
    return limited(
        byOperation(
            minutes.stream().filter(slice -> slice.start().plus(MINUTE).isAfter(from)).toList()));
  }

  /** Sums over all tenants. */
  static Map<String, DecisionCounts> byOperation(List<Slice> slices) {
    Map<String, DecisionCounts> sums = new HashMap<>();
    slices.forEach(
        slice ->
            slice
                .counts()
                .forEach(
                    (scope, counts) ->
                        sums.merge(scope.operation().name(), counts, DecisionCounts::plus)));
    return sums;
  }

  /** Names the operations with most requests, and sums the others. */
  private static Map<String, DecisionCounts> limited(Map<String, DecisionCounts> all) {
    if (all.size() <= MAX_SUBJECTS) {
      return new TreeMap<>(all);
    }
    Set<String> named =
        all.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<String, DecisionCounts> e) ->
                            e.getValue().get(DecisionCounter.REQUESTS))
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MAX_SUBJECTS)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    Map<String, DecisionCounts> limited = new TreeMap<>();
    all.forEach(
        (name, counts) ->
            limited.merge(named.contains(name) ? name : OTHER, counts, DecisionCounts::plus));
    return limited;
  }
}
