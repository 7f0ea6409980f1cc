package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Claim;
import dev.semel.idempotency.Takeover;
import org.junit.jupiter.api.Test;

/** Tokens, and not clocks, decide who may write. */
abstract class FencingContract extends Contract {
  @Test
  void zombieCanNeitherRenewNorCompleteNorReleaseAfterTakeover() {
    Key key = freshKey();
    Token zombie = holdUntilLeaseEnded(key);
    Claim.Granted next = granted(claimAgain(key, Takeover.RUN_AGAIN));
    assertThat(next.takenOver()).isTrue();
    assertThat(next.attempt()).isEqualTo(2);

    assertThat(renew(key, zombie)).isFalse();
    assertThat(complete(key, zombie, payload("zombie"))).isFalse();
    assertThat(release(key, zombie)).isFalse();
    assertThat(complete(key, next.token())).isTrue();
    assertThat(found(key).payload()).isEqualTo(RESPONSE);
  }

  @Test
  void lateCompletionWithAnUnchangedTokenIsAccepted() {
    Key key = freshKey();
    Token late = holdUntilLeaseEnded(key);
    assertThat(complete(key, late)).isTrue();
    assertThat(replay(claimAgain(key, Takeover.RUN_AGAIN)).response()).isEqualTo(RESPONSE);
  }
}
