package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.KeyCatalog.Usage;
import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A purge removes ended records and keeps live ones, and both are counted. */
abstract class HousekeepingContract extends ContractWords {
  private static final int SOME = 10;
  private static final int MANY = 10_000;

  /** A purge that needs more turns than this does not remove what it counts. */
  private static final int MAX_PURGES = 100_000;

  private List<Key> someHeld(Duration lease, Duration retention) {
    List<Key> keys = Stream.generate(ContractWords::freshKey).limit(SOME).toList();
    keys.forEach(key -> hold(key, lease, retention));
    return keys;
  }

  private void purgeAll() {
    for (int i = 0; i < MAX_PURGES; i++) {
      if (store().catalog().purge(100) == 0) {
        return;
      }
    }
    throw new AssertionError("the purge does not come to an end");
  }

  @Test
  void purgeNeverRemovesMoreThanItsLimit() {
    assumeTrue(store().keepsEndedRecordsUntilPurged(), "the engine drops ended records itself");
    purgeAll();
    someHeld(LEASE, LEASE);
    store().elapse(LEASE);
    assertThat(store().catalog().purge(SOME - 3)).isEqualTo(SOME - 3);
    // Another test's record may have ended meanwhile, but the limit still holds.
    assertThat(store().catalog().purge(SOME)).isBetween(3, SOME);
  }

  @Test
  void purgeNeverTouchesLiveRecords() {
    Key silent = freshKey();
    Key held = freshKey();
    Key completed = freshKey();
    Key failed = freshKey();
    Key released = freshKey();
    hold(silent, LEASE, LONG_RETENTION);
    someHeld(LEASE, LEASE);
    hold(held);
    complete(completed, hold(completed));
    fail(failed, hold(failed));
    release(released, hold(released));
    store().elapse(LEASE);
    purgeAll();
    assertThat(found(silent).state()).as("whose lease ended").isEqualTo(RecordState.IN_FLIGHT);
    assertThat(found(held).state()).isEqualTo(RecordState.IN_FLIGHT);
    assertThat(found(completed).payload()).isEqualTo(RESPONSE);
    assertThat(found(failed).state()).isEqualTo(RecordState.FAILED);
    assertThat(found(released).state()).isEqualTo(RecordState.RELEASED);
  }

  @Test
  void purgeLeavesAKeyThatWasClaimedAgainAfterItEnded() {
    Key key = freshKey();
    hold(key, LEASE, LEASE);
    store().elapse(LEASE);
    hold(key);
    purgeAll();
    assertThat(found(key).state()).isEqualTo(RecordState.IN_FLIGHT);
  }

  @Test
  void purgeOfNothingRemovesNothing() {
    someHeld(LEASE, LEASE);
    store().elapse(LEASE);
    assertThat(store().catalog().purge(0)).isZero();
  }

  @Test
  void whatHasEndedIsCountedUntilItIsPurged() {
    assumeTrue(store().keepsEndedRecordsUntilPurged(), "the engine drops ended records itself");
    purgeAll();
    someHeld(LEASE, LEASE);
    store().elapse(LEASE);
    assertThat(store().catalog().ended(MANY)).isGreaterThanOrEqualTo(SOME);
    assertThat(store().catalog().ended(SOME - 3)).isEqualTo(SOME - 3);
    purgeAll();
    // Another test's record may have ended meanwhile, but none of these.
    assertThat(store().catalog().ended(MANY)).isLessThan(SOME);
  }

  @Test
  void whatAnEngineDropsByItselfIsNoBacklog() {
    assumeTrue(!store().keepsEndedRecordsUntilPurged(), "the engine keeps ended records");
    someHeld(LEASE, LEASE);
    store().elapse(LEASE);
    assertThat(store().catalog().ended(MANY)).isZero();
  }

  @Test
  void liveRecordsHaveNotEnded() {
    purgeAll();
    int before = store().catalog().ended(MANY);
    someHeld(LONG_LEASE, LONG_RETENTION);
    assertThat(store().catalog().ended(MANY)).isLessThan(before + SOME);
  }

  @Test
  void roomIsTakenWithinALimitOrNotKnown() {
    someHeld(LONG_LEASE, LONG_RETENTION);
    store()
        .store()
        .room()
        .ifPresent(
            room -> {
              assertThat(room.used()).isPositive();
              assertThat(room.share()).isBetween(0.0, 1.0);
            });
  }

  // Other tests' records may end at any moment, so usage has only a lower bound.

  @Test
  void usageCountsWhatIsThere() {
    List<Key> keys = someHeld(LONG_LEASE, LONG_RETENTION);
    Usage with = store().catalog().usage();
    assertThat(with.activeKeys()).isGreaterThanOrEqualTo(SOME);
    assertThat(with.bytes()).isPositive();
    assumeTrue(with.exact(), "the engine extrapolates");
    keys.forEach(store().catalog()::delete);
    assertThat(store().catalog().usage().activeKeys())
        .isLessThanOrEqualTo(with.activeKeys() - SOME);
  }

  @Test
  void usageDoesNotCountEndedRecords() {
    List<Key> keys = Stream.generate(ContractWords::freshKey).limit(SOME).toList();
    List<Token> holders = keys.stream().map(this::hold).toList();
    Usage before = store().catalog().usage();
    assumeTrue(before.exact(), "the engine extrapolates");
    for (int i = 0; i < SOME; i++) {
      complete(keys.get(i), holders.get(i), RESPONSE, LEASE);
    }
    store().elapse(LEASE);
    assertThat(store().catalog().usage().activeKeys())
        .isLessThanOrEqualTo(before.activeKeys() - SOME);
  }

  @Test
  void usageGrowsWithTheResponses() {
    byte[] response = new byte[1 << 20];
    new Random(1).nextBytes(response); // incompressible, for engines that compress
    Key key = freshKey();
    complete(key, hold(key), new Payload("", response));
    Usage usage = store().catalog().usage();
    assumeTrue(usage.exact(), "the engine extrapolates");
    assertThat(usage.bytes()).isGreaterThanOrEqualTo(response.length);
  }
}
