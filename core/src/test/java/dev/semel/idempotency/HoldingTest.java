package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.loop.Machine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HoldingTest {
  private static final long LEASE = Duration.ofSeconds(1).toNanos();

  private final AtomicLong now = new AtomicLong();
  private final Machine machine =
      new Machine() {
        @Override
        public long nanos() {
          return now.get();
        }
      };

  @Test
  void theLeaseIsOverHereBeforeAStoreThatCountsInMillisecondsSaysSo() {
    Claim.Granted granted = new Claim.Granted(Token.draw(), 1, false);
    ClaimRequest request =
        Claims.request(
            Request.of(Key.of("payment", "order-123"), Codec.utf8())
                .withPolicy(Policy.defaults().withLease(Duration.ofNanos(LEASE))),
            granted.token());
    Holding holding =
        new Holding(machine, Claims.Asked.of(request, granted, 0), granted, Policy.defaults());

    now.set(LEASE - Duration.ofMillis(2).toNanos());
    assertThat(holding.held()).isTrue();
    now.set(LEASE - Duration.ofMillis(1).toNanos());
    assertThat(holding.held()).isFalse();
  }
}
