package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.internal.StatisticsCollector;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog.Page;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the in-memory store promises beyond the contract: its limits, and an order. */
final class MemoryStoreTest {
  private static final int LIMIT = 5;
  private static final Duration RETENTION = Duration.ofMinutes(10);

  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = new MemoryStore(clock, LIMIT);

  private static Key key(int i) {
    return Key.of("payments", "order-" + i);
  }

  private ClaimResult claim(Key key) {
    return store.claim(
        new ClaimRequest(
            key,
            Token.draw(),
            ContractWords.REQUEST,
            Duration.ofMinutes(1),
            RETENTION,
            TakeoverPolicy.IN_DOUBT,
            ""));
  }

  private void fill() {
    IntStream.range(0, LIMIT).forEach(i -> claim(key(i)));
  }

  /** Forgetting the oldest instead would let its duplicate run. */
  @Test
  void fullStoreRefusesNewKeysRatherThanForgetLiveOnes() {
    fill();
    assertThatThrownBy(() -> claim(key(99)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("5 records")
        .hasMessageContaining("raise the limit");
    assertThat(store.find(key(99))).isEmpty();
    assertThat(IntStream.range(0, LIMIT).allMatch(i -> store.find(key(i)).isPresent())).isTrue();
  }

  @Test
  void fullStoreStillServesTheKeysItHolds() {
    fill();
    assertThat(claim(key(0))).isInstanceOf(ClaimResult.InFlight.class);
    store.forceRelease(key(0));
    assertThat(claim(key(0))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void fullStoreMakesRoomByDroppingEndedRecords() {
    fill();
    assertThatThrownBy(() -> claim(key(99))).isInstanceOf(StoreException.class);
    clock.advance(RETENTION);
    assertThat(claim(key(99))).isInstanceOf(ClaimResult.Granted.class);
    assertThat(store.usage().activeKeys()).isEqualTo(1);
    assertThat(store.purge(LIMIT)).isZero();
  }

  @Test
  void endedRecordIsReplacedInItsPlaceEvenWhenFull() {
    fill();
    clock.advance(RETENTION);
    assertThat(claim(key(0))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void deletionMakesRoom() {
    fill();
    store.delete(key(0));
    assertThat(claim(key(99))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  void racersForTheLastPlaceDoNotPassTheLimitByMoreThanTheirNumber() {
    int racers = 16;
    Racers.onPlatformThreads(
        racers,
        racer -> {
          for (int i = 0; i < 100; i++) {
            try {
              claim(key(racer * 100 + i));
            } catch (StoreException full) {
              return true;
            }
          }
          return false;
        });
    assertThat(store.usage().activeKeys()).isBetween((long) LIMIT, (long) LIMIT + racers);
  }

  @Test
  void listingIsInTheOrderOfTheKeys() {
    for (int i : new int[] {3, 1, 4, 0, 2}) {
      claim(key(i));
    }
    Page first = store.list("default/", "", 3);
    assertThat(first.entries()).extracting(KeyEntry::key).containsExactly(key(0), key(1), key(2));
    Page second = store.list("default/", first.next(), 3);
    assertThat(second.entries()).extracting(KeyEntry::key).containsExactly(key(3), key(4));
    assertThat(second.next()).isEmpty();
  }

  @Test
  void scopesBeyondTheLimitAreCountedTogether() {
    int beyond = 10;
    for (int i = 0; i < StatisticsCollector.MAX_SCOPES + beyond; i++) {
      Scope scope = new Scope(Tenant.DEFAULT, new Operation("op-" + i));
      store
          .statistics()
          .add(Map.of(scope, new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L))));
    }
    assertThat(store.statistics().read()).hasSize(StatisticsCollector.MAX_SCOPES + 1);
    assertThat(
            store.statistics().read().values().stream()
                .mapToLong(c -> c.get(DecisionCounter.REQUESTS))
                .sum())
        .isEqualTo(StatisticsCollector.MAX_SCOPES + beyond);
  }
}
