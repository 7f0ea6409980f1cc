package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tokens decide who may write, clocks do not. */
abstract class FencingContract extends ContractWords {
  @Nested
  class AfterATakeover {
    private final Key key = freshKey();

    @Test
    void zombieCanNeitherRenewNorCompleteNorRelease() {
      Token zombie = holdUntilLeaseEnded(key);
      granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
      assertFenced(key, zombie);
    }

    /** An update without a condition would allow it. */
    @Test
    void zombieCanNotOverwriteTheOwnersResponse() {
      Token zombie = holdUntilLeaseEnded(key);
      Token owner = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).token();
      complete(key, owner);
      assertFenced(key, zombie);
      assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    }

    @Test
    void zombieCanNotClaimUnderItsOldToken() {
      Token zombie = holdUntilLeaseEnded(key);
      granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
      assertThat(claim(key, zombie)).isInstanceOf(ClaimResult.InFlight.class);
    }

    @Test
    void ownerStillCompletes() {
      Token zombie = holdUntilLeaseEnded(key);
      Token owner = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).token();
      complete(key, zombie, payload("zombie"));
      assertThat(renew(key, owner)).isTrue();
      assertThat(complete(key, owner)).isTrue();
    }
  }

  @Nested
  class AfterAnOperatorStepped {
    private final Key key = freshKey();

    @Test
    void holderIsFencedByAForcedRelease() {
      Token holder = hold(key);
      assertThat(store().catalog().forceRelease(key)).isTrue();
      assertFenced(key, holder);
    }

    @Test
    void holderIsFencedByAForcedReleaseAndTheNextClaim() {
      Token holder = hold(key);
      store().catalog().forceRelease(key);
      Token next = hold(key);
      assertFenced(key, holder);
      assertThat(complete(key, next)).isTrue();
    }

    @Test
    void holderIsFencedByADeletion() {
      Token holder = hold(key);
      assertThat(store().catalog().delete(key)).isTrue();
      assertFenced(key, holder);
      assertThat(find(key)).isEmpty();
    }

    @Test
    void holderIsFencedByADeletionAndTheNextClaim() {
      Token holder = hold(key);
      store().catalog().delete(key);
      hold(key);
      assertFenced(key, holder);
    }
  }

  @Nested
  class AfterTheRecordExpired {
    private final Key key = freshKey();

    @Test
    void holderIsFenced() {
      Token holder = hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      assertFenced(key, holder);
      assertThat(find(key)).isEmpty();
    }

    @Test
    void holderIsFencedByTheNextClaim() {
      Token holder = hold(key, LEASE, LEASE);
      store().elapse(LEASE);
      Token next = hold(key);
      assertFenced(key, holder);
      assertThat(complete(key, next)).isTrue();
    }
  }

  @Nested
  class WhoeverDoesNotHoldTheKey {
    private final Key key = freshKey();

    @Test
    void strangerCanNeitherRenewNorCompleteNorRelease() {
      Token holder = hold(key);
      assertFenced(key, Token.draw());
      assertThat(complete(key, holder)).isTrue();
    }

    /** A waiter that cleans up after its time-out must not release its owner's key. */
    @Test
    void waiterThatGivesUpCanNotReleaseTheLiveOwnersKey() {
      Token owner = hold(key);
      Token waiter = Token.draw();
      answer(ClaimResult.InFlight.class, claim(key, waiter));
      assertThat(release(key, waiter)).isFalse();
      assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN))
          .isInstanceOf(ClaimResult.InFlight.class);
      assertThat(complete(key, owner)).isTrue();
    }

    @Test
    void callerWhoWasToldOfDoubtCanNotWrite() {
      holdUntilLeaseEnded(key);
      Token told = Token.draw();
      answer(ClaimResult.InDoubt.class, claim(key, told));
      assertFenced(key, told);
    }

    @Test
    void whoeverReleasedCanNeitherRenewNorComplete() {
      Token token = hold(key);
      release(key, token);
      assertThat(renew(key, token)).isFalse();
      assertThat(complete(key, token)).isFalse();
      assertThat(found(key).state()).isEqualTo(RecordState.RELEASED);
    }

    @Test
    void whoeverReleasedIsFencedByTheNextClaim() {
      Token token = hold(key);
      release(key, token);
      hold(key);
      assertFenced(key, token);
    }

    @Test
    void whoeverCompletedCanNeitherRenewNorRelease() {
      Token token = hold(key);
      complete(key, token);
      assertThat(renew(key, token)).isFalse();
      assertThat(release(key, token)).isFalse();
      assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    }
  }
}
