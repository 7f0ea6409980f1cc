package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A claim decides which caller runs, and gives all others information about that execution. */
abstract class ClaimContract extends ContractWords {
  @Test
  void firstClaimIsGrantedAsAttemptOne() {
    Token token = Token.draw();
    assertThat(claim(freshKey(), token)).isEqualTo(new ClaimResult.Granted(token, 1, false));
  }

  @Test
  void secondClaimantIsToldThatTheFirstIsInFlight() {
    Key key = freshKey();
    hold(key);
    assertThat(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).isInstanceOf(ClaimResult.InFlight.class);
    assertThat(claimAgain(key, TakeoverPolicy.IN_DOUBT)).isInstanceOf(ClaimResult.InFlight.class);
  }

  @Test
  void secondClaimantIsToldHowLongTheFirstStillHolds() {
    Key key = freshKey();
    hold(key);
    ClaimResult.InFlight inFlight =
        answer(ClaimResult.InFlight.class, claimAgain(key, TakeoverPolicy.IN_DOUBT));
    assertThat(inFlight.left()).isPositive().isLessThanOrEqualTo(LONG_LEASE);
    assertThat(inFlight.left()).isGreaterThan(LONG_LEASE.dividedBy(2));
  }

  @Test
  void refusedClaimChangesNothing() {
    Key key = freshKey();
    Token holder = hold(key);
    claimAgain(key, TakeoverPolicy.RUN_AGAIN);
    claimAgain(key, OTHER_REQUEST, TakeoverPolicy.RUN_AGAIN);
    assertThat(found(key).token()).isEqualTo(holder);
    assertThat(found(key).fingerprint()).isEqualTo(REQUEST);
    assertThat(complete(key, holder)).isTrue();
  }

  @Test
  void claimAfterCompletionReplaysTheResponse() {
    Key key = freshKey();
    assertThat(complete(key, hold(key))).isTrue();
    assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
    assertThat(replay(claimAgain(key, TakeoverPolicy.RUN_AGAIN)).response()).isEqualTo(RESPONSE);
  }

  @Test
  void claimAfterFinalFailureGivesTheFailure() {
    Key key = freshKey();
    assertThat(fail(key, hold(key))).isTrue();
    for (TakeoverPolicy takeover : TakeoverPolicy.values()) {
      assertThat(answer(ClaimResult.Failed.class, claimAgain(key, takeover)).failure())
          .isEqualTo(FAILURE);
    }
  }

  @Test
  void claimAfterReleaseIsGrantedAsTheNextAttempt() {
    Key key = freshKey();
    assertThat(release(key, hold(key))).isTrue();
    Token next = Token.draw();
    assertThat(claim(key, next)).isEqualTo(new ClaimResult.Granted(next, 2, false));
  }

  @Test
  void attemptCounterGoesOnOverManyReleases() {
    Key key = freshKey();
    for (int attempt = 1; attempt <= 5; attempt++) {
      ClaimResult.Granted granted = granted(claim(key, Token.draw()));
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
                key,
                token,
                REQUEST,
                LONG_LEASE,
                LONG_RETENTION,
                TakeoverPolicy.IN_DOUBT,
                requestId)));

    ClaimResult inFlight = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertOriginal(answer(ClaimResult.InFlight.class, inFlight).original(), requestId);
    ClaimResult mismatch = claimAgain(key, OTHER_REQUEST, TakeoverPolicy.IN_DOUBT);
    assertOriginal(answer(ClaimResult.Mismatch.class, mismatch).original(), requestId);
    complete(key, token);
    assertOriginal(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).original(), requestId);
  }

  @Test
  void duplicatesOfAFailureAreToldWhichRequestFailed() {
    Key key = freshKey();
    Token token = Token.draw();
    granted(
        claim(
            new ClaimRequest(
                key, token, REQUEST, LEASE, LONG_RETENTION, TakeoverPolicy.IN_DOUBT, "req-8")));
    store().elapse(LEASE);
    ClaimResult inDoubt = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertOriginal(answer(ClaimResult.InDoubt.class, inDoubt).original(), "req-8");
    fail(key, token);
    ClaimResult failed = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertOriginal(answer(ClaimResult.Failed.class, failed).original(), "req-8");
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
    StoredRecord inFlight = found(key);
    assertThat(inFlight.state()).isEqualTo(RecordState.IN_FLIGHT);
    assertThat(inFlight.token()).isEqualTo(token);
    assertThat(inFlight.fingerprint()).isEqualTo(REQUEST);
    assertThat(inFlight.leaseLeft()).isPositive().isLessThanOrEqualTo(LONG_LEASE);
    assertThat(inFlight.payload()).isEqualTo(Payload.EMPTY);

    release(key, token);
    assertThat(found(key).state()).isEqualTo(RecordState.RELEASED);

    Token second = hold(key);
    complete(key, second);
    StoredRecord completed = found(key);
    assertThat(completed.state()).isEqualTo(RecordState.COMPLETED);
    assertThat(completed.token()).isEqualTo(second);
    assertThat(completed.payload()).isEqualTo(RESPONSE);

    Key failing = freshKey();
    fail(failing, hold(failing));
    assertThat(found(failing).state()).isEqualTo(RecordState.FAILED);
  }
}
