package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.EarlyListening;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // a loop does its work while it is open
final class LoopWatchTest {
  private static final Duration PAUSE = Duration.ofMillis(10);

  @Test
  void aLoopThatFailsIsTold() {
    Callable<?> bug = Broken.of(Callable.class);
    LoopWatch watch = LoopWatch.of("semel-tck-broken");
    try (Loop loop = Loop.start("semel-tck-broken", () -> bug.call() == null, PAUSE)) {
      await().untilAsserted(watch::assertTold);
    }
  }

  /** As its line and its event, which come once a minute, were there before. */
  @Test
  void aLoopThatHadFailedBeforeMustFailAgain() {
    Callable<?> bug = Broken.of(Callable.class);
    LoopWatch first = LoopWatch.of("semel-tck-again");
    try (Loop loop = Loop.start("semel-tck-again", () -> bug.call() == null, PAUSE)) {
      await().untilAsserted(first::assertTold);
    }
    LoopWatch second = LoopWatch.of("semel-tck-again");
    assertThatThrownBy(second::assertTold).isInstanceOf(AssertionError.class);
    LoopFailures.report("semel-tck-again", new IllegalStateException("a bug"));
    second.assertTold();
  }

  @Test
  void aLoopThatWorksIsNotTold() {
    AtomicInteger turns = new AtomicInteger();
    LoopWatch watch = LoopWatch.of("semel-tck-works");
    try (Loop loop = Loop.start("semel-tck-works", () -> turns.incrementAndGet() < 0, PAUSE)) {
      await().until(() -> turns.get() > 2);
      assertThatThrownBy(watch::assertTold).isInstanceOf(AssertionError.class);
      assertThatThrownBy(watch::assertCounted).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void ourTestRunsFindTheListenerByItsName() {
    assertThat(EarlyListening.LISTENER).isEqualTo(LoopReports.class.getName());
  }
}
