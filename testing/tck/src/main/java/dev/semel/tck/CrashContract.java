package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TakeoverPolicy;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The next caller's answer after a holder falls silent at each step. */
abstract class CrashContract extends ContractWords {
  private final Key key = freshKey();

  @Nested
  class AfterTheClaim {
    @Test
    void nextCallerIsRefusedWhileTheLeaseRuns() {
      hold(key);
      assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InFlight.class);
      assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN))
          .isInstanceOf(ClaimResult.InFlight.class);
    }

    @Test
    void nextCallerIsToldOfTheDoubtOnceTheLeaseEnded() {
      holdUntilLeaseEnded(key);
      ClaimResult claim = claimAgain(key, TakeoverPolicy.IN_DOUBT);
      assertThat(answer(ClaimResult.InDoubt.class, claim).original().attempt()).isEqualTo(1);
    }

    @Test
    void doubtIsNotSettledByAskingAgain() {
      holdUntilLeaseEnded(key);
      for (int i = 0; i < 3; i++) {
        assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT))
            .isInstanceOf(ClaimResult.InDoubt.class);
      }
    }

    @Test
    void nextCallerRunsAgainOnceTheLeaseEnded() {
      holdUntilLeaseEnded(key);
      Token next = Token.draw();
      ClaimResult claim = claim(request(key, next, REQUEST, LONG_LEASE, TakeoverPolicy.RUN_AGAIN));
      assertThat(claim).isEqualTo(new ClaimResult.Granted(next, 2, true));
    }

    /** A marker kept for the response's retention would block the key for that long. */
    @Test
    void keyIsNotWedgedForItsWholeRetention() {
      hold(key, LEASE, LONG_RETENTION);
      store().elapse(LEASE);
      Token next = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).token();
      assertThat(complete(key, next)).isTrue();
    }

    /** A marker that vanished with the lease would let the next caller run as the first. */
    @Test
    void recordIsNotForgottenWithTheLease() {
      holdUntilLeaseEnded(key);
      assertThat(found(key).leaseLeft()).isLessThanOrEqualTo(Duration.ZERO);
      assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InDoubt.class);
    }
  }

  @Nested
  class AfterARenewal {
    @Test
    void nextCallerIsRefusedWhileTheRenewedLeaseRuns() {
      renew(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InFlight.class);
      assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN))
          .isInstanceOf(ClaimResult.InFlight.class);
    }

    @Test
    void nextCallerIsToldOfTheDoubtOnceTheRenewedLeaseEnded() {
      renew(key, hold(key), LEASE);
      store().elapse(LEASE);
      assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InDoubt.class);
    }

    @Test
    void nextCallerRunsAgainOnceTheRenewedLeaseEnded() {
      renew(key, hold(key), LEASE);
      store().elapse(LEASE);
      ClaimResult.Granted granted = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
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
      for (TakeoverPolicy takeover : TakeoverPolicy.values()) {
        assertThat(replay(claimAgain(key, takeover)).response()).isEqualTo(RESPONSE);
      }
    }

    @Test
    void nextCallerGetsTheFinalFailureEvenWhenTheLeaseEnded() {
      fail(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      for (TakeoverPolicy takeover : TakeoverPolicy.values()) {
        assertThat(claimAgain(key, takeover)).isInstanceOf(ClaimResult.Failed.class);
      }
    }
  }

  /**
   * The worker did not crash, but can't know how its work ended; so nobody has to wait for the
   * lease.
   */
  @Nested
  class AfterWorkThatCannotTell {
    private final ExecutionRequest<String> request = ExecutionRequest.of(key, Codec.utf8());

    private void loseTheAnswer(ExecutionRequest<String> lost) {
      EffectUnknown unknown = new EffectUnknown("no answer", new IOException("connection reset"));
      try (Idempotency idempotency = new Idempotency(store().store(), SemelListener.NONE)) {
        assertThatThrownBy(
                () ->
                    idempotency.execute(
                        lost,
                        execution -> {
                          throw unknown;
                        }))
            .isSameAs(unknown)
            .hasNoSuppressedExceptions();
      }
      store().elapse(Duration.ofMillis(1));
    }

    private Outcome<String> ask(ExecutionRequest<String> again) {
      try (Idempotency idempotency = new Idempotency(store().store(), SemelListener.NONE)) {
        return idempotency.execute(again, execution -> "ran");
      }
    }

    @Test
    void nextCallerIsToldOfTheDoubtAtOnce() {
      loseTheAnswer(request);
      assertThat(ask(request)).isInstanceOf(Outcome.InDoubt.class);
      assertThat(ask(request)).isInstanceOf(Outcome.InDoubt.class);
    }

    @Test
    void nextCallerTakesOverWhereThePolicySaysSo() {
      ExecutionRequest<String> again =
          request.withPolicy(ExecutionPolicy.defaults().withTakeover(TakeoverPolicy.RUN_AGAIN));
      loseTheAnswer(again);
      assertThat(ask(again)).isEqualTo(new Outcome.Executed<>("ran", 2, true));
    }

    @Test
    void bothKeysAreInDoubtWhileOneStrategyReplacesAnother() {
      ExecutionRequest<String> other = ExecutionRequest.of(freshKey(), Codec.utf8());
      loseTheAnswer(request.withAlso(other));
      assertThat(ask(request)).isInstanceOf(Outcome.InDoubt.class);
      assertThat(ask(other)).isInstanceOf(Outcome.InDoubt.class);
    }
  }

  @Nested
  class AfterTheRelease {
    @Test
    void nextCallerRunsWithoutDoubtUnderEitherPolicy() {
      for (TakeoverPolicy takeover : TakeoverPolicy.values()) {
        Key released = freshKey();
        release(released, hold(released));
        ClaimResult.Granted granted = granted(claimAgain(released, takeover));
        assertThat(granted.attempt()).isEqualTo(2);
        assertThat(granted.takenOver()).isFalse();
      }
    }

    @Test
    void nextCallerRunsWithoutDoubtEvenWhenTheLeaseEnded() {
      release(key, hold(key, LEASE, LONG_RETENTION));
      store().elapse(LEASE);
      assertThat(granted(claimAgain(key, TakeoverPolicy.IN_DOUBT)).takenOver()).isFalse();
    }
  }
}
