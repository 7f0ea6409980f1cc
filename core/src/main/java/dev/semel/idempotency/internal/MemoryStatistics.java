package dev.semel.idempotency.internal;

import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.StatisticsStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of one process, in memory. Beyond {@link StatisticsCollector#MAX_SCOPES} scopes,
 * further ones are counted together.
 */
public final class MemoryStatistics implements StatisticsStore {
  private final InstantSource clock;
  private final Map<Scope, DecisionCounts> totals = new HashMap<>();
  private final TreeMap<Long, Map<Scope, DecisionCounts>> minutes = new TreeMap<>();
  private final Map<String, Reached> writers = new HashMap<>();

  /** The number of a writer's last batch, and when it arrived. */
  private record Reached(long number, long minute) {}

  public MemoryStatistics(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void add(Batch batch) {
    long minute = minute();
    Reached reached = writers.get(batch.writer());
    if (reached != null && batch.number() <= reached.number()) {
      return;
    }
    writers.put(batch.writer(), new Reached(batch.number(), minute));
    writers.values().removeIf(last -> last.minute() < oldest(NUMBERS_KEPT));
    batch
        .deltas()
        .forEach(
            (scope, delta) -> {
              boolean room =
                  totals.containsKey(scope) || totals.size() < StatisticsCollector.MAX_SCOPES;
              Scope counted = room ? scope : StatisticsCollector.OTHER;
              totals.merge(counted, delta, DecisionCounts::plus);
              minutes
                  .computeIfAbsent(minute, m -> new HashMap<>())
                  .merge(counted, delta, DecisionCounts::plus);
            });
    minutes.headMap(oldest(TREND)).clear();
  }

  private long minute() {
    return clock.millis() / Duration.ofMinutes(1).toMillis();
  }

  private long oldest(Duration back) {
    return minute() - back.toMinutes();
  }

  @Override
  public synchronized Map<Scope, DecisionCounts> read() {
    return Map.copyOf(totals);
  }

  @Override
  public synchronized List<Slice> trend(Duration step, Duration back) {
    long width = step.toMinutes();
    TreeMap<Long, Map<Scope, DecisionCounts>> slices = new TreeMap<>();
    minutes
        .tailMap(oldest(back))
        .forEach(
            (minute, counts) -> {
              Map<Scope, DecisionCounts> slice =
                  slices.computeIfAbsent(minute / width * width, m -> new HashMap<>());
              counts.forEach((scope, delta) -> slice.merge(scope, delta, DecisionCounts::plus));
            });
    return slices.entrySet().stream()
        .map(
            slice ->
                new Slice(Instant.EPOCH.plus(Duration.ofMinutes(slice.getKey())), slice.getValue()))
        .toList();
  }

  @Override
  public synchronized void reset() {
    totals.clear();
    minutes.clear();
  }
}
