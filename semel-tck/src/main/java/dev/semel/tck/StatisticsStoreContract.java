package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Ids;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Age;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.StatisticsStore.Scope;
import dev.semel.idempotency.StatisticsStore.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Everything that {@link dev.semel.idempotency.StatisticsStore} promises. */
public abstract class StatisticsStoreContract extends Contract {
  private static final int ADDERS = 8;
  private static final int ADDS_EACH = 25;

  private final Scope scope = new Scope(Tenant.DEFAULT, freshOperation());

  private static Operation freshOperation() {
    return new Operation("op-" + Ids.uuid7());
  }

  private static Counts counts(Counter counter, long value) {
    return new Counts(Map.of(counter, value));
  }

  private void add(Scope to, Counts delta) {
    store().statistics().add(Map.of(to, delta));
  }

  private Counts read(Scope of) {
    return store().statistics().read().getOrDefault(of, Counts.ZERO);
  }

  @Test
  void deltasAddUp() {
    add(scope, counts(Counter.REQUESTS, 2));
    add(scope, new Counts(Map.of(Counter.REQUESTS, 3L, Counter.REPLAYS, 1L)));
    assertThat(read(scope))
        .isEqualTo(new Counts(Map.of(Counter.REQUESTS, 5L, Counter.REPLAYS, 1L)));
  }

  @Test
  void everyCounterIsKeptApart() {
    EnumMap<Counter, Long> all = new EnumMap<>(Counter.class);
    for (Counter counter : Counter.values()) {
      all.put(counter, 10L + all.size());
    }
    add(scope, new Counts(all));
    assertThat(read(scope)).isEqualTo(new Counts(all));
  }

  @Test
  void largeNumbersAreKept() {
    add(scope, counts(Counter.REQUESTS, 5_000_000_000L));
    add(scope, counts(Counter.REQUESTS, 1));
    assertThat(read(scope)).isEqualTo(counts(Counter.REQUESTS, 5_000_000_001L));
  }

  @Test
  void scopesAreCountedApart() {
    Scope otherTenant = new Scope(new Tenant("acme"), scope.operation());
    Scope otherOperation = new Scope(scope.tenant(), freshOperation());
    store()
        .statistics()
        .add(
            Map.of(
                scope, counts(Counter.REQUESTS, 1),
                otherTenant, counts(Counter.REQUESTS, 2),
                otherOperation, counts(Counter.REPLAYS, 3)));
    assertThat(store().statistics().read())
        .containsEntry(scope, counts(Counter.REQUESTS, 1))
        .containsEntry(otherTenant, counts(Counter.REQUESTS, 2))
        .containsEntry(otherOperation, counts(Counter.REPLAYS, 3));
  }

  @Test
  void namesWithEverySignAreCountedApart() {
    String unique = Ids.uuid7().toString().substring(0, 18);
    Scope a = new Scope(new Tenant("a.b-" + unique), new Operation("c_d"));
    Scope b = new Scope(new Tenant("a"), new Operation("b-" + unique + ".c_d"));
    add(a, counts(Counter.REQUESTS, 1));
    add(b, counts(Counter.REQUESTS, 2));
    assertThat(read(a)).isEqualTo(counts(Counter.REQUESTS, 1));
    assertThat(read(b)).isEqualTo(counts(Counter.REQUESTS, 2));
  }

  @Test
  void addingNothingIsAllowed() {
    store().statistics().add(Map.of());
    add(scope, Counts.ZERO);
    assertThat(read(scope)).isEqualTo(Counts.ZERO);
  }

  @Test
  void concurrentAddsAreAllCounted() {
    Racers.onPlatformThreads(
        ADDERS,
        racer -> {
          for (int i = 0; i < ADDS_EACH; i++) {
            add(scope, new Counts(Map.of(Counter.REQUESTS, 1L, Counter.EXECUTED, 2L)));
          }
          return racer;
        });
    long adds = (long) ADDERS * ADDS_EACH;
    assertThat(read(scope))
        .isEqualTo(new Counts(Map.of(Counter.REQUESTS, adds, Counter.EXECUTED, 2 * adds)));
  }

  @Test
  void resetStartsFromZero() {
    add(scope, counts(Counter.REQUESTS, 7));
    store().statistics().reset();
    assertThat(read(scope)).isEqualTo(Counts.ZERO);
    add(scope, counts(Counter.REQUESTS, 1));
    assertThat(read(scope)).isEqualTo(counts(Counter.REQUESTS, 1));
  }

  @Test
  void agesAreKeptBesideTheCounters() {
    Counts counts = new Counts(Map.of(Counter.DUPLICATES, 3L), Map.of(Age.HOUR, 1L, Age.OLDER, 2L));
    add(scope, counts);
    add(scope, counts);
    assertThat(read(scope)).isEqualTo(counts.plus(counts));
  }

  @Test
  void theTrendAddsUpToWhatWasAdded() {
    add(scope, counts(Counter.REQUESTS, 2));
    store().elapse(LEASE);
    add(scope, new Counts(Map.of(Counter.REQUESTS, 3L), Map.of(Age.MINUTE, 1L)));
    for (Duration step :
        List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofHours(1))) {
      List<Slice> trend = ofScope(step);
      assertThat(trend.stream().map(s -> s.counts().get(scope)).reduce(Counts.ZERO, Counts::plus))
          .isEqualTo(new Counts(Map.of(Counter.REQUESTS, 5L), Map.of(Age.MINUTE, 1L)));
      assertThat(trend)
          .allMatch(slice -> slice.start().getEpochSecond() % step.toSeconds() == 0)
          .isSortedAccordingTo(Comparator.comparing(Slice::start));
      Instant now = store().store().now();
      assertThat(trend.getLast().start()).isBetween(now.minus(step).minus(step), now);
    }
  }

  private List<Slice> ofScope(Duration step) {
    return store().statistics().trend(step).stream()
        .filter(slice -> slice.counts().containsKey(scope))
        .toList();
  }

  @Test
  void aShortTrendIsTheEndOfTheLongOne() {
    add(scope, counts(Counter.REQUESTS, 2));
    Duration step = Duration.ofMinutes(1);
    List<Slice> recent =
        store().statistics().trend(step, Duration.ofMinutes(5)).stream()
            .filter(slice -> slice.counts().containsKey(scope))
            .toList();
    assertThat(recent).isEqualTo(ofScope(step)).hasSize(1);
    store().elapse(LEASE);
    Instant oldest = store().store().now().minus(Duration.ofMinutes(7));
    assertThat(store().statistics().trend(step, Duration.ofMinutes(5)))
        .allMatch(slice -> slice.start().isAfter(oldest));
  }

  @Test
  void resetEmptiesTheTrend() {
    add(scope, counts(Counter.REQUESTS, 2));
    store().statistics().reset();
    assertThat(ofScope(Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void resetLeavesTheKeysAlone() {
    var key = freshKey();
    complete(key, hold(key));
    store().statistics().reset();
    assertThat(found(key).payload()).isEqualTo(RESPONSE);
  }
}
