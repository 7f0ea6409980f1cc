package dev.semel.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.proof.history.RecordedAnswer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** It tries what must change nothing, and never what would be a lie of its own. */
class AdversaryTest {
  private static final Key KEY = Key.of("op", "1");
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final int STEPS = 200;

  private Instant now = Instant.EPOCH;
  private final InstantSource clock = () -> now;
  private final MemoryStore store = new MemoryStore(clock);

  private ClaimResult claim(Token token) {
    return store.claim(
        new ClaimRequest(
            KEY, token, Fingerprint.NONE, LEASE, Duration.ofDays(1), TakeoverPolicy.RUN_AGAIN, ""));
  }

  private void leaseEnds() {
    now = now.plus(LEASE.multipliedBy(2));
  }

  private static boolean takenOver(ClaimResult claim) {
    return claim instanceof ClaimResult.Granted granted && granted.takenOver();
  }

  @Test
  void doubtThatAFailedTakeoverLeftStays() {
    assertThat(claim(Token.draw())).isInstanceOf(ClaimResult.Granted.class);
    leaseEnds();
    Token failed = Token.draw();
    assertThat(takenOver(claim(failed))).isTrue();
    leaseEnds();
    Adversary adversary = new Adversary(store);
    adversary.remember(new Adversary.Past(KEY, failed, "", true, RecordedAnswer.Kind.THREW));
    Random random = new Random(1);
    for (int i = 0; i < STEPS; i++) {
      adversary.step(KEY, random);
    }
    leaseEnds();
    assertThat(takenOver(claim(Token.draw()))).isTrue();
  }
}
