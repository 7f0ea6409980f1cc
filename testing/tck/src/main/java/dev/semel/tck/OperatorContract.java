package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.RecordState;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An operator's actions on one key. */
abstract class OperatorContract extends ContractWords {
  private final Key key = freshKey();

  private KeyCatalog catalog() {
    return store().catalog();
  }

  @Nested
  class AForcedRelease {
    private void assertReleased() {
      assertThat(catalog().forceRelease(key)).isTrue();
      assertThat(found(key).state()).isEqualTo(RecordState.RELEASED);
      ClaimResult.Granted next = granted(claimAgain(key, TakeoverPolicy.IN_DOUBT));
      assertThat(next.attempt()).isEqualTo(2);
      assertThat(next.takenOver()).isFalse();
      assertThat(complete(key, next.token())).isTrue();
    }

    @Test
    void letsTheNextClaimRunWhileTheKeyIsHeld() {
      hold(key);
      assertReleased();
    }

    @Test
    void settlesAKeyInDoubt() {
      holdUntilLeaseEnded(key);
      answer(ClaimResult.InDoubt.class, claimAgain(key, TakeoverPolicy.IN_DOUBT));
      assertReleased();
    }

    @Test
    void letsACompletedKeyRunAgain() {
      complete(key, hold(key));
      assertReleased();
    }

    @Test
    void letsAFailedKeyRunAgain() {
      fail(key, hold(key));
      assertReleased();
    }

    @Test
    void ofAReleasedKeyChangesLittle() {
      release(key, hold(key));
      assertReleased();
    }

    @Test
    void fencesWhoeverCompletedBefore() {
      Token earlier = hold(key);
      complete(key, earlier);
      catalog().forceRelease(key);
      assertFenced(key, earlier);
    }

    @Test
    void fencesWhoeverReleasedBefore() {
      Token earlier = hold(key);
      release(key, earlier);
      catalog().forceRelease(key);
      assertFenced(key, earlier);
    }

    @Test
    void forgetsTheResponse() {
      complete(key, hold(key));
      catalog().forceRelease(key);
      assertThat(found(key).payload().bytes()).isEmpty();
      Token next = hold(key);
      assertThat(found(key).payload().bytes()).isEmpty();
      complete(key, next, payload("second"));
      assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response())
          .isEqualTo(payload("second"));
    }

    @Test
    void ofAnUnknownKeyIsFalseAndMakesNone() {
      assertThat(catalog().forceRelease(key)).isFalse();
      assertThat(find(key)).isEmpty();
    }

    @Test
    void ofAnEndedRecordIsFalse() {
      hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      assertThat(catalog().forceRelease(key)).isFalse();
      assertThat(granted(claimAgain(key, TakeoverPolicy.IN_DOUBT)).attempt()).isEqualTo(1);
    }

    @Test
    void whileManyClaimLetsExactlyOneRun() {
      hold(key);
      List<Object> results =
          Racers.onPlatformThreads(
              8,
              i ->
                  i == 0
                      ? (Object) catalog().forceRelease(key)
                      : claimAgain(key, TakeoverPolicy.IN_DOUBT));
      assertThat(results.get(0)).isEqualTo(true);
      claimAgain(key, TakeoverPolicy.IN_DOUBT); // in case all of them came before the release
      assertThat(results)
          .filteredOn(ClaimResult.Granted.class::isInstance)
          .hasSizeLessThanOrEqualTo(1);
      assertThat(found(key).state()).isEqualTo(RecordState.IN_FLIGHT);
      assertThat(found(key).original().attempt()).isEqualTo(2);
    }
  }

  @Nested
  class ADeletion {
    private void assertDeleted() {
      assertThat(catalog().delete(key)).isTrue();
      assertThat(find(key)).isEmpty();
      assertThat(granted(claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT)).attempt())
          .isEqualTo(1);
    }

    @Test
    void forgetsAHeldKey() {
      hold(key);
      assertDeleted();
    }

    @Test
    void forgetsACompletedKey() {
      complete(key, hold(key));
      assertDeleted();
    }

    @Test
    void forgetsAReleasedKeyAndItsAttempts() {
      release(key, hold(key));
      release(key, hold(key));
      assertDeleted();
    }

    @Test
    void happensOnce() {
      hold(key);
      assertThat(Racers.onPlatformThreads(8, i -> catalog().delete(key)))
          .filteredOn(deleted -> deleted)
          .hasSize(1);
    }

    @Test
    void ofAnUnknownKeyIsFalse() {
      assertThat(catalog().delete(key)).isFalse();
    }

    @Test
    void ofAnEndedRecordIsFalse() {
      hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      assertThat(catalog().delete(key)).isFalse();
    }

    @Test
    void leavesOtherKeysAlone() {
      Key other = freshKey();
      complete(other, hold(other));
      hold(key);
      catalog().delete(key);
      assertThat(found(other).payload()).isEqualTo(RESPONSE);
    }
  }
}
