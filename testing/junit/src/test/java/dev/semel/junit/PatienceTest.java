package dev.semel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void aWaitThatNamesNoLimitHasOurs() {
    AtomicLong left = new AtomicLong();

    await()
        .conditionEvaluationListener(condition -> left.set(condition.getRemainingTimeInMS()))
        .until(() -> true);

    assertThat(Duration.ofMillis(left.get())).isGreaterThan(Patience.LIMIT.dividedBy(2));
  }
}
