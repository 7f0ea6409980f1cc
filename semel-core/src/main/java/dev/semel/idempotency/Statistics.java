package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.loop.Loop;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Adds up what this process decides and hands the sums to the store once a second, so that counting
 * never sits in a claim's path. A crash loses what was not handed over yet; a hand-over whose
 * answer was lost is repeated, so a count can come out too high but not too low.
 */
public final class Statistics implements AutoCloseable {
  public static final Duration FLUSH_EVERY = Duration.ofSeconds(1);

  /** Beyond this many tenants × operations, further ones are counted together. */
  public static final int MAX_SCOPES = 1000;

  static final StatisticsStore.Scope OTHER =
      new StatisticsStore.Scope(new Tenant("other"), new Operation("other"));

  private final StatisticsStore store;
  private final Map<StatisticsStore.Scope, Map<Counter, LongAdder>> scopes =
      new ConcurrentHashMap<>();
  private final Loop loop;

  private Statistics(StatisticsStore store) {
    this.store = store;
    this.loop = Loop.start("semel-statistics", this::runOnce, FLUSH_EVERY, e -> {});
  }

  public static Statistics into(StatisticsStore store) {
    return new Statistics(store);
  }

  void count(Key key, Counter first, Counter... more) {
    Map<Counter, LongAdder> adders =
        adders(new StatisticsStore.Scope(key.tenant(), key.operation()));
    add(adders, first, 1);
    for (Counter counter : more) {
      add(adders, counter, 1);
    }
  }

  private Map<Counter, LongAdder> adders(StatisticsStore.Scope scope) {
    Map<Counter, LongAdder> known = scopes.get(scope);
    if (known != null) {
      return known;
    }
    StatisticsStore.Scope counted = scopes.size() < MAX_SCOPES ? scope : OTHER;
    return scopes.computeIfAbsent(counted, s -> newAdders());
  }

  /** Filled once and never changed, so that it may be read without a lock. */
  private static Map<Counter, LongAdder> newAdders() {
    EnumMap<Counter, LongAdder> adders = new EnumMap<>(Counter.class);
    EnumSet.allOf(Counter.class).forEach(counter -> adders.put(counter, new LongAdder()));
    return Collections.unmodifiableMap(adders);
  }

  private static void add(Map<Counter, LongAdder> adders, Counter counter, long value) {
    Objects.requireNonNull(adders.get(counter)).add(value);
  }

  private boolean runOnce() {
    flush();
    return false;
  }

  /** Hands over what was added up; on failure it is kept for the next time. */
  public synchronized void flush() {
    Map<StatisticsStore.Scope, Counts> deltas = new HashMap<>();
    scopes.forEach(
        (scope, adders) -> {
          EnumMap<Counter, Long> sums = new EnumMap<>(Counter.class);
          adders.forEach((counter, adder) -> sums.put(counter, adder.sumThenReset()));
          Counts delta = new Counts(sums);
          if (!delta.equals(Counts.ZERO)) {
            deltas.put(scope, delta);
          }
        });
    if (deltas.isEmpty()) {
      return;
    }
    boolean handedOver = false;
    try {
      store.add(deltas);
      handedOver = true;
    } finally {
      if (!handedOver) {
        deltas.forEach(this::putBack);
      }
    }
  }

  private void putBack(StatisticsStore.Scope scope, Counts delta) {
    Map<Counter, LongAdder> adders = adders(scope);
    delta.values().forEach((counter, value) -> add(adders, counter, value));
  }

  /** Stops the loop and hands over the rest. */
  @Override
  public void close() {
    loop.close();
    flush();
  }
}
