package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Takeover;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A holder says nothing more after some step; this is what the next caller is told. */
abstract class CrashContract extends Contract {
  private final Key key = freshKey();

  @Nested
  class AfterTheClaim {
    @Test
    void nextCallerIsRefusedWhileTheLeaseRuns() {
      hold(key);
      assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InFlight.class);
      assertThat(claimAgain(key, Takeover.RUN_AGAIN)).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void nextCallerIsToldOfTheDoubtOnceTheLeaseEnded() {
      holdUntilLeaseEnded(key);
      Claim claim = claimAgain(key, Takeover.IN_DOUBT);
      assertThat(answer(Claim.InDoubt.class, claim).original().attempt()).isEqualTo(1);
    }

    @Test
    void doubtIsNotSettledByAskingAgain() {
      holdUntilLeaseEnded(key);
      for (int i = 0; i < 3; i++) {
        assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InDoubt.class);
      }
    }

    @Test
    void nextCallerRunsAgainOnceTheLeaseEnded() {
      holdUntilLeaseEnded(key);
      Token next = Token.draw();
      Claim claim = claim(request(key, next, REQUEST, LONG_LEASE, Takeover.RUN_AGAIN));
      assertThat(claim).isEqualTo(new Claim.Granted(next, 2, true));
    }

    /** A marker kept as long as the response would block the key for that long. */
    @Test
    void keyIsNotWedgedForItsWholeRetention() {
      hold(key, LEASE, LONG_RETENTION);
      store().elapse(LEASE);
      Token next = granted(claimAgain(key, Takeover.RUN_AGAIN)).token();
      assertThat(complete(key, next)).isTrue();
    }

    /** A marker that vanished with the lease would let the next caller run as if it were first. */
    @Test
    void recordIsNotForgottenWithTheLease() {
      holdUntilLeaseEnded(key);
      assertThat(found(key).leaseLeft()).isLessThanOrEqualTo(Duration.ZERO);
      assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InDoubt.class);
    }
  }

  @Nested
  class AfterARenewal {
    @Test
    void nextCallerIsRefusedWhileTheRenewedLeaseRuns() {
      renew(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InFlight.class);
      assertThat(claimAgain(key, Takeover.RUN_AGAIN)).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void nextCallerIsToldOfTheDoubtOnceTheRenewedLeaseEnded() {
      renew(key, hold(key), LEASE);
      store().elapse(LEASE);
      assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InDoubt.class);
    }

    @Test
    void nextCallerRunsAgainOnceTheRenewedLeaseEnded() {
      renew(key, hold(key), LEASE);
      store().elapse(LEASE);
      Claim.Granted granted = granted(claimAgain(key, Takeover.RUN_AGAIN));
      assertThat(granted.takenOver()).isTrue();
      assertThat(granted.attempt()).isEqualTo(2);
    }
  }

  @Nested
  class AfterTheCompletion {
    @Test
    void nextCallerGetsTheResponse() {
      complete(key, hold(key));
      assertReplayed();
    }

    @Test
    void nextCallerGetsTheResponseEvenWhenTheLeaseEnded() {
      complete(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      assertReplayed();
    }

    private void assertReplayed() {
      for (Takeover takeover : Takeover.values()) {
        assertThat(replay(claimAgain(key, takeover)).response()).isEqualTo(RESPONSE);
      }
    }

    @Test
    void nextCallerGetsTheFinalFailureEvenWhenTheLeaseEnded() {
      fail(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      for (Takeover takeover : Takeover.values()) {
        assertThat(claimAgain(key, takeover)).isInstanceOf(Claim.Failed.class);
      }
    }
  }

  @Nested
  class AfterTheRelease {
    @Test
    void nextCallerRunsWithoutDoubtUnderEitherPolicy() {
      for (Takeover takeover : Takeover.values()) {
        Key released = freshKey();
        release(released, hold(released));
        Claim.Granted granted = granted(claimAgain(released, takeover));
        assertThat(granted.attempt()).isEqualTo(2);
        assertThat(granted.takenOver()).isFalse();
      }
    }

    @Test
    void nextCallerRunsWithoutDoubtEvenWhenTheLeaseEnded() {
      release(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      assertThat(granted(claimAgain(key, Takeover.IN_DOUBT)).takenOver()).isFalse();
    }
  }
}
