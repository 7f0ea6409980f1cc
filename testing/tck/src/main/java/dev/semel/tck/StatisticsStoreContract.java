package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.event.spi.EventSink;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.internal.StatisticsCollector;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.StatisticsStore.Slice;
import dev.semel.internal.Ids;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@link dev.semel.idempotency.spi.StatisticsStore} promises. Extend it to test a
 * store.
 */
public abstract class StatisticsStoreContract extends ContractWords {
  private static final int ADDERS = 8;
  private static final int ADDS_EACH = 25;

  private final Scope scope = new Scope(Tenant.DEFAULT, freshOperation());

  private static Operation freshOperation() {
    return new Operation("op-" + Ids.uuid7());
  }

  private static DecisionCounts counts(DecisionCounter counter, long value) {
    return new DecisionCounts(Map.of(counter, value));
  }

  private void add(Scope to, DecisionCounts delta) {
    store().statistics().add(Map.of(to, delta));
  }

  private DecisionCounts read(Scope of) {
    return store().statistics().read().getOrDefault(of, DecisionCounts.ZERO);
  }

  @Test
  void deltasAddUp() {
    add(scope, counts(DecisionCounter.REQUESTS, 2));
    add(
        scope,
        new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 3L, DecisionCounter.REPLAYS, 1L)));
    assertThat(read(scope))
        .isEqualTo(
            new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 5L, DecisionCounter.REPLAYS, 1L)));
  }

  @Test
  void everyCounterIsKeptApart() {
    EnumMap<DecisionCounter, Long> all = new EnumMap<>(DecisionCounter.class);
    for (DecisionCounter counter : DecisionCounter.values()) {
      all.put(counter, 10L + all.size());
    }
    add(scope, new DecisionCounts(all));
    assertThat(read(scope)).isEqualTo(new DecisionCounts(all));
  }

  @Test
  void largeNumbersAreKept() {
    add(scope, counts(DecisionCounter.REQUESTS, 5_000_000_000L));
    add(scope, counts(DecisionCounter.REQUESTS, 1));
    assertThat(read(scope)).isEqualTo(counts(DecisionCounter.REQUESTS, 5_000_000_001L));
  }

  @Test
  void scopesAreCountedApart() {
    Scope otherTenant = new Scope(new Tenant("acme"), scope.operation());
    Scope otherOperation = new Scope(scope.tenant(), freshOperation());
    store()
        .statistics()
        .add(
            Map.of(
                scope, counts(DecisionCounter.REQUESTS, 1),
                otherTenant, counts(DecisionCounter.REQUESTS, 2),
                otherOperation, counts(DecisionCounter.REPLAYS, 3)));
    assertThat(store().statistics().read())
        .containsEntry(scope, counts(DecisionCounter.REQUESTS, 1))
        .containsEntry(otherTenant, counts(DecisionCounter.REQUESTS, 2))
        .containsEntry(otherOperation, counts(DecisionCounter.REPLAYS, 3));
  }

  @Test
  void namesWithEverySignAreCountedApart() {
    String unique = Ids.uuid7().toString().substring(0, 18);
    Scope a = new Scope(new Tenant("a.b-" + unique), new Operation("c_d"));
    Scope b = new Scope(new Tenant("a"), new Operation("b-" + unique + ".c_d"));
    add(a, counts(DecisionCounter.REQUESTS, 1));
    add(b, counts(DecisionCounter.REQUESTS, 2));
    assertThat(read(a)).isEqualTo(counts(DecisionCounter.REQUESTS, 1));
    assertThat(read(b)).isEqualTo(counts(DecisionCounter.REQUESTS, 2));
  }

  @Test
  void addingNothingIsAllowed() {
    store().statistics().add(Map.of());
    add(scope, DecisionCounts.ZERO);
    assertThat(read(scope)).isEqualTo(DecisionCounts.ZERO);
  }

  @Test
  void concurrentAddsAreAllCounted() {
    Racers.onPlatformThreads(
        ADDERS,
        racer -> {
          for (int i = 0; i < ADDS_EACH; i++) {
            add(
                scope,
                new DecisionCounts(
                    Map.of(DecisionCounter.REQUESTS, 1L, DecisionCounter.EXECUTED, 2L)));
          }
          return racer;
        });
    long adds = (long) ADDERS * ADDS_EACH;
    assertThat(read(scope))
        .isEqualTo(
            new DecisionCounts(
                Map.of(DecisionCounter.REQUESTS, adds, DecisionCounter.EXECUTED, 2 * adds)));
  }

  @Test
  void resetStartsFromZero() {
    add(scope, counts(DecisionCounter.REQUESTS, 7));
    store().statistics().reset();
    assertThat(read(scope)).isEqualTo(DecisionCounts.ZERO);
    add(scope, counts(DecisionCounter.REQUESTS, 1));
    assertThat(read(scope)).isEqualTo(counts(DecisionCounter.REQUESTS, 1));
  }

  @Test
  void agesAreKeptBesideTheCounters() {
    DecisionCounts counts =
        new DecisionCounts(
            Map.of(DecisionCounter.DUPLICATES, 3L),
            Map.of(DuplicateAge.HOUR, 1L, DuplicateAge.OLDER, 2L));
    add(scope, counts);
    add(scope, counts);
    assertThat(read(scope)).isEqualTo(counts.plus(counts));
  }

  @Test
  void theTrendAddsUpToWhatWasAdded() {
    add(scope, counts(DecisionCounter.REQUESTS, 2));
    store().elapse(LEASE);
    add(
        scope,
        new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 3L), Map.of(DuplicateAge.MINUTE, 1L)));
    for (Duration step :
        List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofHours(1))) {
      List<Slice> trend = ofScope(step);
      assertThat(
              trend.stream()
                  .map(s -> s.counts().get(scope))
                  .reduce(DecisionCounts.ZERO, DecisionCounts::plus))
          .isEqualTo(
              new DecisionCounts(
                  Map.of(DecisionCounter.REQUESTS, 5L), Map.of(DuplicateAge.MINUTE, 1L)));
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
    add(scope, counts(DecisionCounter.REQUESTS, 2));
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
    add(scope, counts(DecisionCounter.REQUESTS, 2));
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

  private void add(String writer, long number, long requests) {
    store()
        .statistics()
        .add(
            new StatisticsStore.Batch(
                writer, number, Map.of(scope, counts(DecisionCounter.REQUESTS, requests))));
  }

  @Test
  void aBatchThatIsSentAgainIsCountedOnce() {
    String writer = Ids.uuid7().toString();
    add(writer, 1, 2);
    add(writer, 1, 2);
    add(writer, 2, 3);
    add(writer, 2, 3);
    add(writer, 1, 2); // does not wait for an answer that came very late
    DecisionCounts once = counts(DecisionCounter.REQUESTS, 5);
    assertThat(read(scope)).isEqualTo(once);
    assertThat(
            ofScope(Duration.ofMinutes(1)).stream()
                .map(slice -> slice.counts().get(scope))
                .reduce(DecisionCounts.ZERO, DecisionCounts::plus))
        .isEqualTo(once);
  }

  @Test
  void aBatchMayFollowAGap() {
    String writer = Ids.uuid7().toString();
    add(writer, 1, 2);
    add(writer, 7, 3);
    assertThat(read(scope)).isEqualTo(counts(DecisionCounter.REQUESTS, 5));
  }

  @Test
  void batchesOfDifferentWritersAreAllCounted() {
    add(Ids.uuid7().toString(), 1, 2);
    add(Ids.uuid7().toString(), 1, 3);
    assertThat(read(scope)).isEqualTo(counts(DecisionCounter.REQUESTS, 5));
  }

  @Test
  void aBatchFromBeforeAResetIsNotCountedAfterIt() {
    String writer = Ids.uuid7().toString();
    add(writer, 1, 2);
    store().statistics().reset();
    add(writer, 1, 2);
    assertThat(read(scope)).isEqualTo(DecisionCounts.ZERO);
  }

  @Test
  void aBatchThatIsSentManyTimesAtOnceIsCountedOnce() {
    String writer = Ids.uuid7().toString();
    Racers.onPlatformThreads(
        ADDERS,
        racer -> {
          add(writer, 1, 2);
          return racer;
        });
    assertThat(read(scope)).isEqualTo(counts(DecisionCounter.REQUESTS, 2));
  }

  /** The fate of a call to the store. */
  private enum Fate {
    ARRIVES,
    /** The request never reaches the store. */
    REQUEST_LOST,
    /** The call takes effect, but its answer is lost. */
    ANSWER_LOST
  }

  /** Wraps a part of the store, so that its changes meet these fates. */
  private static <T> T suffering(Class<T> type, T part, Supplier<Fate> fate) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (fate.get() == Fate.REQUEST_LOST) {
                throw new StoreException("the request was lost");
              }
              try {
                Object answer = method.invoke(part, arguments);
                if (fate.get() == Fate.ANSWER_LOST) {
                  throw new StoreException("the answer was lost");
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (StoreException e) {
      // The collector keeps counts that it could not flush.
    }
  }

  @Test
  void countsEqualTheEventLogWhateverTheNetworkDoes() {
    AtomicReference<Fate> fate = new AtomicReference<>(Fate.ARRIVES);
    StatisticsCollector statistics =
        new StatisticsCollector(suffering(StatisticsStore.class, store().statistics(), fate::get));
    EventSink sink =
        new EventSink(
            suffering(EventStore.class, store().store().events(), fate::get),
            InstantSource.system(),
            key -> false);
    DecisionReporter reporter = new DecisionReporter(statistics, sink);
    Key key = new Key(scope.tenant(), scope.operation(), "1");
    String before = store().store().events().end();
    Random random = new Random(29);
    int executions = 0;
    for (int turn = 0; turn < 60; turn++) {
      fate.set(turn == 59 ? Fate.ARRIVES : Fate.values()[random.nextInt(Fate.values().length)]);
      for (int i = random.nextInt(3); i > 0; i--) {
        reporter.answered(key, "", new ClaimResult.Granted(Token.draw(), 1, false));
        reporter.completed(key, "", 1, Duration.ZERO, 0);
        executions++;
      }
      quietly(statistics::flush);
      quietly(sink::flush);
    }
    assertThat(logged(before, "claimed")).isEqualTo(executions);
    assertThat(logged(before, "completed")).isEqualTo(executions);
    DecisionCounts equal =
        new DecisionCounts(
            Map.of(
                DecisionCounter.REQUESTS,
                (long) executions,
                DecisionCounter.EXECUTED,
                (long) executions));
    assertThat(read(scope)).isEqualTo(equal);
    assertThat(
            ofScope(Duration.ofMinutes(1)).stream()
                .map(slice -> slice.counts().get(scope))
                .reduce(DecisionCounts.ZERO, DecisionCounts::plus))
        .isEqualTo(equal);
  }

  private long logged(String cursor, String kind) {
    long found = 0;
    EventStore.Page page = store().store().events().read(cursor, EventStore.MAX_PAGE);
    while (!page.lines().isEmpty()) {
      found +=
          page.lines().stream()
              .filter(line -> line.kind().equals(kind))
              .filter(line -> line.operation().equals(scope.operation().name()))
              .count();
      page = store().store().events().read(page.next(), EventStore.MAX_PAGE);
    }
    return found;
  }
}
