package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.Outcome;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often leases are looked at. */
class LeaseRenewalsTest {
  /** The last rest of the thread that renews. */
  private final AtomicLong rest = new AtomicLong();

  private final Platform platform =
      new Platform() {
        @Override
        public void park(Object blocker, long nanos) {
          if (Thread.currentThread().getName().equals("semel-renewals")) {
            rest.set(nanos);
          }
          Platform.super.park(blocker, Math.min(nanos, Duration.ofMillis(1).toNanos()));
        }
      };

  @Test
  void aShortLeaseIsLookedAtOftenAndOnlyWhileItIsHeld() {
    Duration lease = Duration.ofSeconds(20);
    Duration longest = Duration.ofSeconds(1);
    MemoryStore store = new MemoryStore(InstantSource.system());
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE, platform)) {
      await().until(() -> rest.get() == longest.toNanos());
      Outcome<String> outcome =
          idempotency.execute(
              ExecutionRequest.of(Key.of("payment", "1"), Codec.utf8())
                  .withPolicy(ExecutionPolicy.defaults().withLease(lease)),
              execution -> {
                await().until(() -> rest.get() == lease.dividedBy(40).toNanos());
                return "done";
              });
      assertThat(outcome.value()).contains("done");
      await().until(() -> rest.get() == longest.toNanos());
    }
  }
}
