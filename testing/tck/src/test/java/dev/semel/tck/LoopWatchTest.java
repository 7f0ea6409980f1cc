package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.loop.internal.Loop;
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
    try (LoopWatch watch = LoopWatch.of("semel-tck-broken");
        Loop loop = Loop.start("semel-tck-broken", () -> bug.call() == null, PAUSE)) {
      await().untilAsserted(watch::assertTold);
    }
  }

  @Test
  void aLoopThatWorksIsNotTold() {
    AtomicInteger turns = new AtomicInteger();
    try (LoopWatch watch = LoopWatch.of("semel-tck-works");
        Loop loop = Loop.start("semel-tck-works", () -> turns.incrementAndGet() < 0, PAUSE)) {
      await().until(() -> turns.get() > 2);
      assertThatThrownBy(watch::assertTold).isInstanceOf(AssertionError.class);
      assertThatThrownBy(watch::assertCounted).isInstanceOf(AssertionError.class);
    }
  }
}
