package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import org.junit.jupiter.api.Test;

/** A step that is repeated with the same token, after a lost answer, changes nothing more. */
abstract class RepeatContract extends ContractWords {
  private final Key key = freshKey();

  @Test
  void repeatedClaimGivesTheSameGrant() {
    Token token = Token.draw();
    ClaimResult first = claim(key, token);
    assertThat(claim(key, token)).isEqualTo(first);
    assertThat(complete(key, token)).isTrue();
  }

  @Test
  void repeatedClaimGivesTheSameGrantAfterItsLeaseEnded() {
    Token token = holdUntilLeaseEnded(key);
    assertThat(claim(key, token)).isEqualTo(new ClaimResult.Granted(token, 1, false));
  }

  @Test
  void repeatedClaimAfterATakeoverGivesTheSameGrantAndStillSaysSo() {
    holdUntilLeaseEnded(key);
    ClaimResult.Granted taken = granted(claimAgain(key, TakeoverPolicy.RUN_AGAIN));
    assertThat(claim(key, taken.token())).isEqualTo(taken);
  }

  @Test
  void repeatedClaimAfterAReleaseGivesTheSameAttempt() {
    release(key, hold(key));
    Token token = Token.draw();
    claim(key, token);
    // A store does not record whether it was a takeover; claiming that it was is the safe answer.
    assertThat(claim(key, token)).isEqualTo(new ClaimResult.Granted(token, 2, true));
    assertThat(found(key).original().attempt()).isEqualTo(2);
  }

  @Test
  void claimRepeatedAfterItsOwnCompletionReplays() {
    Token token = hold(key);
    complete(key, token);
    assertThat(replay(claim(key, token)).response()).isEqualTo(RESPONSE);
  }

  @Test
  void repeatedRenewalIsTrue() {
    Token token = hold(key);
    assertThat(renew(key, token)).isTrue();
    assertThat(renew(key, token)).isTrue();
  }

  @Test
  void repeatedCompletionIsTrueAndKeepsTheFirstResponse() {
    Token token = hold(key);
    assertThat(complete(key, token)).isTrue();
    assertThat(complete(key, token, payload("another"))).isTrue();
    assertThat(replay(claimAgain(key, TakeoverPolicy.IN_DOUBT)).response()).isEqualTo(RESPONSE);
  }

  @Test
  void failureAfterACompletionIsTrueAndKeepsTheResponse() {
    Token token = hold(key);
    complete(key, token);
    assertThat(fail(key, token)).isTrue();
    assertThat(found(key).state()).isEqualTo(RecordState.COMPLETED);
    assertThat(found(key).payload()).isEqualTo(RESPONSE);
  }

  @Test
  void completionAfterAFailureIsTrueAndKeepsTheFailure() {
    Token token = hold(key);
    assertThat(fail(key, token)).isTrue();
    assertThat(complete(key, token)).isTrue();
    ClaimResult claim = claimAgain(key, TakeoverPolicy.IN_DOUBT);
    assertThat(answer(ClaimResult.Failed.class, claim).failure()).isEqualTo(FAILURE);
  }

  @Test
  void repeatedReleaseIsTrueAndDoesNotCountAsAnAttempt() {
    Token token = hold(key);
    assertThat(release(key, token)).isTrue();
    assertThat(release(key, token)).isTrue();
    assertThat(granted(claimAgain(key, TakeoverPolicy.IN_DOUBT)).attempt()).isEqualTo(2);
  }

  @Test
  void repeatedReleaseCanNotTakeTheKeyFromTheNextHolder() {
    Token token = hold(key);
    release(key, token);
    Token next = hold(key);
    assertThat(release(key, token)).isFalse();
    assertThat(complete(key, next)).isTrue();
  }
}
