package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import org.junit.jupiter.api.Test;

/** What the end of a lease allows, and what it does not. */
abstract class TakeoverContract extends ContractWords {
  private final Key key = freshKey();

  @Test
  void takeoverWaitsForTheLeaseToEnd() {
    Token holder = hold(key);
    assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).isInstanceOf(ClaimResult.InFlight.class);
    // Shortens the lease only now, so that a slow machine can't end it too soon.
    assertThat(renew(key, holder, LEASE)).isTrue();
    store().elapse(LEASE);
    assertThat(granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).takenOver()).isTrue();
  }

  @Test
  void renewalReallyExtendsTheLease() {
    Token holder = hold(key, LEASE, LONG_RETENTION);
    assertThat(renew(key, holder, LONG_LEASE)).isTrue();
    assertThat(found(key).leaseLeft()).isGreaterThan(LONG_LEASE.dividedBy(2));
    store().elapse(LEASE);
    assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).isInstanceOf(ClaimResult.InFlight.class);
  }

  @Test
  void renewalLetsTheLeaseRunFromNowEvenIfThatIsShorter() {
    Token holder = hold(key);
    assertThat(renew(key, holder, LEASE)).isTrue();
    assertThat(found(key).leaseLeft()).isLessThanOrEqualTo(LEASE);
  }

  @Test
  void renewalDoesNotCountAsAnAttempt() {
    Token holder = hold(key);
    renew(key, holder);
    assertThat(found(key).original().attempt()).isEqualTo(1);
    assertThat(found(key).token()).isEqualTo(holder);
  }

  @Test
  void everyTakeoverCountsAsAnAttempt() {
    holdUntilLeaseEnded(key);
    for (int attempt = 2; attempt <= 4; attempt++) {
      Token next = Token.draw();
      ClaimResult claim = claim(request(key, next, REQUEST, LEASE, TakeoverPolicy.RUN_AGAIN));
      assertThat(claim).isEqualTo(new ClaimResult.Granted(next, attempt, true));
      store().elapse(LEASE);
    }
    ClaimResult inDoubt = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertThat(answer(ClaimResult.InDoubt.class, inDoubt).original().attempt()).isEqualTo(4);
  }

  @Test
  void attemptCounterGoesOnWhenATakeoverIsReleased() {
    holdUntilLeaseEnded(key);
    Token second = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).token();
    assertThat(release(key, second)).isTrue();
    assertThat(granted(claimAgain(key, TakeoverPolicy.IN_DOUBT)).attempt()).isEqualTo(3);
  }

  @Test
  void takeoverIsHeldForTheLeaseOfWhoTookOver() {
    holdUntilLeaseEnded(key);
    granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
    assertThat(found(key).leaseLeft()).isPositive();
    assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).isInstanceOf(ClaimResult.InFlight.class);
  }

  /** The token decides, not the clock: nobody took over, so nothing ran twice. */
  @Test
  void lateCompletionWithAnUnchangedTokenIsAcceptedAndReplays() {
    Token late = holdUntilLeaseEnded(key);
    assertThat(complete(key, late)).isTrue();
    assertThat(replay(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).response()).isEqualTo(RESPONSE);
  }

  @Test
  void lateCompletionSettlesTheDoubt() {
    Token late = holdUntilLeaseEnded(key);
    answer(ClaimResult.InDoubt.class, claimAgain(key, TakeoverPolicy.IN_DOUBT));
    assertThat(complete(key, late)).isTrue();
    assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
  }

  @Test
  void lateRenewalWithAnUnchangedTokenIsAccepted() {
    Token late = holdUntilLeaseEnded(key);
    assertThat(renew(key, late)).isTrue();
    assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).isInstanceOf(ClaimResult.InFlight.class);
    assertThat(complete(key, late)).isTrue();
  }

  @Test
  void lateReleaseWithAnUnchangedTokenIsAccepted() {
    Token late = holdUntilLeaseEnded(key);
    assertThat(release(key, late)).isTrue();
    assertThat(found(key).state()).isEqualTo(RecordState.RELEASED);
    ClaimResult.Granted next = granted(claimAgain(key, TakeoverPolicy.IN_DOUBT));
    assertThat(next.takenOver()).isFalse();
    assertThat(next.attempt()).isEqualTo(2);
  }

  @Test
  void duplicatesMeetTheRequestThatTookOver() {
    holdUntilLeaseEnded(key);
    Token next = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).token();
    ClaimResult inFlight = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertThat(answer(ClaimResult.InFlight.class, inFlight).original().attempt()).isEqualTo(2);
    complete(key, next);
    assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).original().attempt()).isEqualTo(2);
  }
}
