package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.loop.Machine;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitTest {
  private final AtomicLong now = new AtomicLong();
  private final Circuit circuit =
      new Circuit(
          new Machine() {
            @Override
            public long nanos() {
              return now.get();
            }
          });

  private void failAllowed() {
    for (int i = 0; i < Circuit.FAILURES; i++) {
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
    for (int i = 0; i < Circuit.FAILURES - 1; i++) {
      circuit.failed();
    }
    circuit.succeeded();
    circuit.failed();
    assertThat(circuit.allows()).isTrue();
  }

  @Test
  void afterARestOneCallerTriesForAll() {
    failAllowed();
    now.addAndGet(Circuit.FIRST_REST.toNanos());
    assertThat(circuit.allows()).isTrue();
    assertThat(circuit.allows()).isFalse();
  }

  @Test
  void theOneThatSucceedsClosesIt() {
    failAllowed();
    now.addAndGet(Circuit.FIRST_REST.toNanos());
    assertThat(circuit.allows()).isTrue();
    circuit.succeeded();
    assertThat(circuit.allows()).isTrue();
    assertThat(circuit.allows()).isTrue();
  }

  @Test
  void restsGrowButNotForEver() {
    failAllowed();
    for (int i = 0; i < 100; i++) {
      now.addAndGet(Circuit.LONGEST_REST.toNanos());
      assertThat(circuit.allows()).isTrue();
      circuit.failed();
    }
  }
}
