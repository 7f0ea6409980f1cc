package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.State;
import dev.semel.idempotency.Takeover;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A claim decides who runs, and tells everyone else about the one who does. */
abstract class ClaimContract extends Contract {
  @Test
  void firstClaimIsGrantedAsAttemptOne() {
    Token token = Token.draw();
    assertThat(claim(freshKey(), token)).isEqualTo(new Claim.Granted(token, 1, false));
  }

  @Test
  void secondClaimantIsToldThatTheFirstIsInFlight() {
    Key key = freshKey();
    hold(key);
    assertThat(claimAgain(key, Takeover.RUN_AGAIN)).isInstanceOf(Claim.InFlight.class);
    assertThat(claimAgain(key, Takeover.IN_DOUBT)).isInstanceOf(Claim.InFlight.class);
  }

  @Test
  void secondClaimantIsToldHowLongTheFirstStillHolds() {
    Key key = freshKey();
    hold(key);
    Claim.InFlight inFlight = answer(Claim.InFlight.class, claimAgain(key, Takeover.IN_DOUBT));
    assertThat(inFlight.left()).isPositive().isLessThanOrEqualTo(LONG_LEASE);
    assertThat(inFlight.left()).isGreaterThan(LONG_LEASE.dividedBy(2));
  }

  @Test
  void refusedClaimChangesNothing() {
    Key key = freshKey();
    Token holder = hold(key);
    claimAgain(key, Takeover.RUN_AGAIN);
    claimAgain(key, OTHER_REQUEST, Takeover.RUN_AGAIN);
    assertThat(found(key).token()).isEqualTo(holder);
    assertThat(found(key).fingerprint()).isEqualTo(REQUEST);
    assertThat(complete(key, holder)).isTrue();
  }

  @Test
  void claimAfterCompletionReplaysTheResponse() {
    Key key = freshKey();
    assertThat(complete(key, hold(key))).isTrue();
    assertThat(replay(claimAgain(key, Takeover.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    assertThat(replay(claimAgain(key, Takeover.RUN_AGAIN)).response()).isEqualTo(RESPONSE);
  }

  @Test
  void claimAfterFinalFailureGivesTheFailure() {
    Key key = freshKey();
    assertThat(fail(key, hold(key))).isTrue();
    for (Takeover takeover : Takeover.values()) {
      assertThat(answer(Claim.Failed.class, claimAgain(key, takeover)).failure())
          .isEqualTo(FAILURE);
    }
  }

  @Test
  void claimAfterReleaseIsGrantedAsTheNextAttempt() {
    Key key = freshKey();
    assertThat(release(key, hold(key))).isTrue();
    Token next = Token.draw();
    assertThat(claim(key, next)).isEqualTo(new Claim.Granted(next, 2, false));
  }

  @Test
  void attemptCounterGoesOnOverManyReleases() {
    Key key = freshKey();
    for (int attempt = 1; attempt <= 5; attempt++) {
      Claim.Granted granted = granted(claim(key, Token.draw()));
      assertThat(granted.attempt()).isEqualTo(attempt);
      assertThat(found(key).original().attempt()).isEqualTo(attempt);
      assertThat(release(key, granted.token())).isTrue();
    }
  }

  @Test
  void duplicatesAreToldWhichRequestTheyMet() {
    Key key = freshKey();
    Token token = Token.draw();
    String requestId = "req 7/ä‰";
    granted(
        claim(
            new ClaimRequest(
                key, token, REQUEST, LONG_LEASE, LONG_RETENTION, Takeover.IN_DOUBT, requestId)));

    Claim inFlight = claimAgain(key, Takeover.IN_DOUBT);
    assertOriginal(answer(Claim.InFlight.class, inFlight).original(), requestId);
    Claim mismatch = claimAgain(key, OTHER_REQUEST, Takeover.IN_DOUBT);
    assertOriginal(answer(Claim.Mismatch.class, mismatch).original(), requestId);
    complete(key, token);
    assertOriginal(replay(claimAgain(key, Takeover.IN_DOUBT)).original(), requestId);
  }

  @Test
  void duplicatesOfAFailureAreToldWhichRequestFailed() {
    Key key = freshKey();
    Token token = Token.draw();
    granted(
        claim(
            new ClaimRequest(
                key, token, REQUEST, LEASE, LONG_RETENTION, Takeover.IN_DOUBT, "req-8")));
    store().elapse(LEASE);
    Claim inDoubt = claimAgain(key, Takeover.IN_DOUBT);
    assertOriginal(answer(Claim.InDoubt.class, inDoubt).original(), "req-8");
    fail(key, token);
    Claim failed = claimAgain(key, Takeover.IN_DOUBT);
    assertOriginal(answer(Claim.Failed.class, failed).original(), "req-8");
  }

  private static void assertOriginal(FirstExecution original, String requestId) {
    assertThat(original.requestId()).isEqualTo(requestId);
    assertThat(original.attempt()).isEqualTo(1);
    assertThat(original.age()).isBetween(Duration.ZERO, LONG_LEASE);
    assertThat(original.retentionLeft())
        .isGreaterThan(LONG_RETENTION.minus(LONG_LEASE))
        .isLessThanOrEqualTo(LONG_RETENTION);
  }

  @Test
  void ageIsCountedFromTheClaim() {
    Key key = freshKey();
    Token token = hold(key);
    store().elapse(LEASE);
    assertThat(found(key).original().age()).isGreaterThanOrEqualTo(LEASE);
    complete(key, token);
    assertThat(found(key).original().age()).isGreaterThanOrEqualTo(LEASE);
  }

  @Test
  void nothingIsFoundWhereNothingWasClaimed() {
    assertThat(find(freshKey())).isEmpty();
  }

  @Test
  void stepsOnAKeyThatWasNeverClaimedAreRefusedAndLeaveNothing() {
    Key key = freshKey();
    assertFenced(key, Token.draw());
    assertThat(find(key)).isEmpty();
  }

  @Test
  void findShowsTheRecordInEachState() {
    Key key = freshKey();
    Token token = hold(key);
    Existing inFlight = found(key);
    assertThat(inFlight.state()).isEqualTo(State.IN_FLIGHT);
    assertThat(inFlight.token()).isEqualTo(token);
    assertThat(inFlight.fingerprint()).isEqualTo(REQUEST);
    assertThat(inFlight.leaseLeft()).isPositive().isLessThanOrEqualTo(LONG_LEASE);
    assertThat(inFlight.payload()).isEqualTo(Payload.EMPTY);

    release(key, token);
    assertThat(found(key).state()).isEqualTo(State.RELEASED);

    Token second = hold(key);
    complete(key, second);
    Existing completed = found(key);
    assertThat(completed.state()).isEqualTo(State.COMPLETED);
    assertThat(completed.token()).isEqualTo(second);
    assertThat(completed.payload()).isEqualTo(RESPONSE);

    Key failing = freshKey();
    fail(failing, hold(failing));
    assertThat(found(failing).state()).isEqualTo(State.FAILED);
  }
}
