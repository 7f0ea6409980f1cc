package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sums this process's decisions and adds them to the store when {@link Maintenance} says so, once a
 * second, so that counting is never in a claim's path. A crash loses the counts since the last
 * flush. A batch whose answer was lost is repeated under its number, and counts once.
 */
public final class StatisticsCollector {
  /** Beyond this many tenants × operations, further ones are counted together. */
  public static final int MAX_SCOPES = 1000;

  public static final StatisticsStore.Scope OTHER =
      new StatisticsStore.Scope(new Tenant("other"), new Operation("other"));

  private final StatisticsStore store;
  private final String writer = Ids.uuid7().toString();
  private final Map<StatisticsStore.Scope, Adders> scopes = new ConcurrentHashMap<>();

  // Only touched by flush, which is synchronized.
  private long number;

  /** The last batch, until the store has confirmed it. */
  private StatisticsStore.@Nullable Batch unanswered;

  public StatisticsCollector(StatisticsStore store) {
    this.store = store;
  }

  /** Filled once and never changed, so that it may be read without a lock. */
  private static final class Adders {
    private final Map<DecisionCounter, LongAdder> counters = adders(DecisionCounter.class);
    private final Map<DuplicateAge, LongAdder> ages = adders(DuplicateAge.class);

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
      EnumMap<E, LongAdder> adders = new EnumMap<>(type);
      EnumSet.allOf(type).forEach(constant -> adders.put(constant, new LongAdder()));
      return Collections.unmodifiableMap(adders);
    }

    void add(DecisionCounter counter, long value) {
      Objects.requireNonNull(counters.get(counter)).add(value);
    }

    void add(DuplicateAge age, long value) {
      Objects.requireNonNull(ages.get(age)).add(value);
    }

    DecisionCounts takeAll() {
      return new DecisionCounts(
          takeAll(DecisionCounter.class, counters), takeAll(DuplicateAge.class, ages));
    }

    private static <E extends Enum<E>> Map<E, Long> takeAll(
        Class<E> type, Map<E, LongAdder> adders) {
      EnumMap<E, Long> sums = new EnumMap<>(type);
      adders.forEach((constant, adder) -> sums.put(constant, adder.sumThenReset()));
      return sums;
    }
  }

  public void count(Key key, DecisionCounter first, DecisionCounter... more) {
    Adders adders = adders(key);
    adders.add(first, 1);
    for (DecisionCounter counter : more) {
      adders.add(counter, 1);
    }
  }

  /** Counts a duplicate by the age of the first request. */
  public void arrived(Key key, Duration age) {
    adders(key).add(DuplicateAge.of(age), 1);
  }

  private Adders adders(Key key) {
    StatisticsStore.Scope scope = new StatisticsStore.Scope(key.tenant(), key.operation());
    Adders known = scopes.get(scope);
    if (known != null) {
      return known;
    }
    StatisticsStore.Scope counted = scopes.size() < MAX_SCOPES ? scope : OTHER;
    return scopes.computeIfAbsent(counted, s -> new Adders());
  }

  /**
   * Sends the batch whose answer is missing again, unchanged, and then the new counts; on failure
   * both are kept for the next time.
   *
   * @return the counts that the store confirmed
   */
  public synchronized Map<StatisticsStore.Scope, DecisionCounts> flush() {
    Map<StatisticsStore.Scope, DecisionCounts> handedOver = new HashMap<>(handOver());
    Map<StatisticsStore.Scope, DecisionCounts> deltas = takeAll();
    if (!deltas.isEmpty()) {
      unanswered = new StatisticsStore.Batch(writer, ++number, deltas);
      handOver().forEach((scope, delta) -> handedOver.merge(scope, delta, DecisionCounts::plus));
    }
    return handedOver;
  }

  private Map<StatisticsStore.Scope, DecisionCounts> handOver() {
    StatisticsStore.Batch batch = unanswered;
    if (batch == null) {
      return Map.of();
    }
    store.add(batch);
    unanswered = null;
    return batch.deltas();
  }

  private Map<StatisticsStore.Scope, DecisionCounts> takeAll() {
    Map<StatisticsStore.Scope, DecisionCounts> deltas = new HashMap<>();
    scopes.forEach(
        (scope, adders) -> {
          DecisionCounts delta = adders.takeAll();
          if (!delta.equals(DecisionCounts.ZERO)) {
            deltas.put(scope, delta);
          }
        });
    return deltas;
  }
}
