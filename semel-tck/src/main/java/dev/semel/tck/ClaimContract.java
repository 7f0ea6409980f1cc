package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Takeover;
import org.junit.jupiter.api.Test;

/** One atomic step decides who runs. */
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
  void claimWhoseAnswerWasLostGivesTheSameGrantAgain() {
    Key key = freshKey();
    Token token = Token.draw();
    Claim first = claim(key, token);
    assertThat(claim(key, token)).isEqualTo(first);
  }

  @Test
  void claimAfterCompletionReplaysTheResponse() {
    Key key = freshKey();
    Token token = hold(key);
    assertThat(complete(key, token)).isTrue();
    assertThat(replay(claimAgain(key, Takeover.IN_DOUBT)).response()).isEqualTo(RESPONSE);
  }
}
