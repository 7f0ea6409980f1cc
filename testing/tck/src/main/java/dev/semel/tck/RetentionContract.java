package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each record is kept for its retention, whatever happens to its lease or to other keys. */
abstract class RetentionContract extends ContractWords {
  private final Key key = freshKey();

  private void assertForgotten(Key forgotten) {
    assertThat(find(forgotten)).isEmpty();
    assertThat(granted(claimAgain(forgotten, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT)).attempt())
        .as("a forgotten key starts from the beginning")
        .isEqualTo(1);
  }

  @Nested
  class ARecordInFlight {
    @Test
    void outlivesItsLease() {
      Token holder = holdUntilLeaseEnded(key);
      assertThat(found(key).state()).isEqualTo(RecordState.IN_FLIGHT);
      assertThat(found(key).token()).isEqualTo(holder);
      assertThat(found(key).leaseLeft()).isLessThanOrEqualTo(Duration.ZERO);
    }

    @Test
    void isForgottenOnceItsRetentionEnded() {
      hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      assertForgotten(key);
    }

    @Test
    void isKeptForItsRetentionAgainByARenewal() {
      Token holder = hold(key);
      store().elapse(SHORT_RETENTION);
      Duration before = found(key).original().retentionLeft();
      assertThat(renew(key, holder)).isTrue();
      assertThat(found(key).original().retentionLeft()).isGreaterThan(before);
    }

    /** A record that vanished before its lease would let a second claim in unnoticed. */
    @Test
    void isKeptForItsRenewedLeaseEvenIfThatIsLongerThanItsRetention() {
      Token holder = hold(key, LEASE, SHORT_RETENTION);
      assertThat(renew(key, holder, LONG_LEASE)).isTrue();
      store().elapse(SHORT_RETENTION);
      assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN))
          .isInstanceOf(ClaimResult.InFlight.class);
      assertThat(complete(key, holder)).isTrue();
    }

    @Test
    void isKeptForTheRetentionOfWhoTookOver() {
      hold(key, LEASE, SHORT_RETENTION);
      store().elapse(LEASE);
      granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
      store().elapse(SHORT_RETENTION);
      assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN))
          .isInstanceOf(ClaimResult.InFlight.class);
    }
  }

  @Nested
  class AnEndedRecord {
    @Test
    void isForgottenOnceItsRetentionEnded() {
      complete(key, hold(key), RESPONSE, LEASE);
      store().elapse(LEASE);
      assertForgotten(key);
    }

    @Test
    void isKeptForTheRetentionOfTheCompletionNotOfTheClaim() {
      Token holder = hold(key, LEASE, SHORT_RETENTION);
      assertThat(complete(key, holder, RESPONSE, LONG_RETENTION)).isTrue();
      store().elapse(SHORT_RETENTION);
      assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    }

    @Test
    void isNotKeptLongerByBeingReplayedOrCompletedAgain() {
      Token holder = hold(key);
      complete(key, holder, RESPONSE, SHORT_RETENTION);
      claimAgain(key, TakeoverPolicy.RUN_AGAIN);
      complete(key, holder, RESPONSE, LONG_RETENTION);
      find(key);
      store().elapse(SHORT_RETENTION);
      assertThat(find(key)).isEmpty();
    }

    @Test
    void canNotBeCompletedAgainOnceForgotten() {
      Token holder = hold(key);
      complete(key, holder, RESPONSE, LEASE);
      store().elapse(LEASE);
      assertThat(complete(key, holder)).isFalse();
      assertThat(find(key)).isEmpty();
    }
  }

  @Nested
  class AReleasedRecord {
    @Test
    void keepsItsAttemptsWhenTheLeaseWouldHaveEnded() {
      release(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      assertThat(granted(claimAgain(key, TakeoverPolicy.IN_DOUBT)).attempt()).isEqualTo(2);
    }

    @Test
    void isForgottenOnceItsRetentionEnded() {
      assertThat(release(key, hold(key, LEASE, SHORT_RETENTION))).isTrue();
      store().elapse(SHORT_RETENTION);
      assertForgotten(key);
    }
  }

  /** One expiry for a whole hash of keys would end them all together, or keep them all. */
  @Nested
  class TwoKeysOfOneOperation {
    private final Key other = freshKey();

    @Test
    void theShorterIsForgottenAloneWhenItWasWrittenLast() {
      complete(other, hold(other), RESPONSE, LONG_RETENTION);
      complete(key, hold(key), RESPONSE, LEASE);
      store().elapse(LEASE);
      assertForgotten(key);
      assertThat(claimAgain(other, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.Replay.class);
    }

    @Test
    void theShorterIsNotKeptByTheLongerThatWasWrittenAfterIt() {
      complete(key, hold(key), RESPONSE, SHORT_RETENTION);
      complete(other, hold(other), RESPONSE, LONG_RETENTION);
      store().elapse(SHORT_RETENTION);
      assertForgotten(key);
      assertThat(claimAgain(other, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.Replay.class);
    }

    @Test
    void leaseOfOneEndsWithoutTheOther() {
      hold(other);
      holdUntilLeaseEnded(key);
      assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InDoubt.class);
      assertThat(claimAgain(other, TakeoverPolicy.IN_DOUBT))
          .isInstanceOf(ClaimResult.InFlight.class);
    }
  }
}
