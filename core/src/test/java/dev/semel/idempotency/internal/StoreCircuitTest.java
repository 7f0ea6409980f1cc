package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.loop.Platform;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreCircuitTest {
  private final AtomicLong now = new AtomicLong();
  private final StoreCircuit circuit =
      new StoreCircuit(
          new Platform() {
            @Override
            public long nanos() {
              return now.get();
            }
          });

  private void failAllowed() {
    for (int i = 0; i < StoreCircuit.FAILURES; i++) {
      assertThat(circuit.allows()).isTrue();
      circuit.failed();
    }
  }

  @Test
  void someFailuresInARowOpenIt() {
    failAllowed();
    assertThat(circuit.allows()).isFalse();
  }

  @Test
  void aSuccessInBetweenStartsTheCountAnew() {
    for (int i = 0; i < StoreCircuit.FAILURES - 1; i++) {
      circuit.failed();
    }
    circuit.succeeded();
    circuit.failed();
    assertThat(circuit.allows()).isTrue();
  }

  @Test
  void afterARestOneCallerTriesForAll() {
    failAllowed();
    now.addAndGet(StoreCircuit.FIRST_REST.toNanos());
    assertThat(circuit.allows()).isTrue();
    assertThat(circuit.allows()).isFalse();
  }

  @Test
  void theOneThatSucceedsClosesIt() {
    failAllowed();
    now.addAndGet(StoreCircuit.FIRST_REST.toNanos());
    assertThat(circuit.allows()).isTrue();
    circuit.succeeded();
    assertThat(circuit.allows()).isTrue();
    assertThat(circuit.allows()).isTrue();
  }

  @Test
  void restsGrowButNotForEver() {
    failAllowed();
    for (int i = 0; i < 100; i++) {
      now.addAndGet(StoreCircuit.LONGEST_REST.toNanos());
      assertThat(circuit.allows()).isTrue();
      circuit.failed();
    }
  }
}
