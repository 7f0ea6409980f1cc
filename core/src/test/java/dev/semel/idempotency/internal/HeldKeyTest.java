package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeldKeyTest {
  private static final long LEASE = Duration.ofSeconds(1).toNanos();

  private final AtomicLong now = new AtomicLong();
  private final Platform platform =
      new Platform() {
        @Override
        public long nanos() {
          return now.get();
        }
      };

  @Test
  void theLeaseIsOverHereBeforeAStoreThatCountsInMillisecondsSaysSo() {
    ClaimResult.Granted granted = new ClaimResult.Granted(Token.draw(), 1, false);
    ClaimRequest request =
        ClaimQuestion.of(
                ExecutionRequest.of(Key.of("payment", "order-123"), Codec.utf8())
                    .withPolicy(ExecutionPolicy.defaults().withLease(Duration.ofNanos(LEASE))),
                granted.token())
            .claim();
    HeldKey heldKey =
        new HeldKey(
            platform, ClaimAnswer.of(request, granted, 0), granted, ExecutionPolicy.defaults());

    now.set(LEASE - Duration.ofMillis(2).toNanos());
    assertThat(heldKey.held()).isTrue();
    now.set(LEASE - Duration.ofMillis(1).toNanos());
    assertThat(heldKey.held()).isFalse();
  }
}
