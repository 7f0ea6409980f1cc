package dev.semel.loop.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  @Test
  void whoeverFailsWhenToldOfAFailureDoesNotEndTheLoop() {
    List<String> told = new CopyOnWriteArrayList<>();
    Loop.Step failing =
        () -> {
          throw new IOException("again");
        };
    try (Loop loop =
        Loop.start(
            "failing",
            failing,
            SHORT,
            e -> {
              told.add(String.valueOf(e.getMessage()));
              throw new IllegalStateException("a listener's fault");
            })) {
      await().until(() -> told.size() >= 3);
      loop.wake();
    }
    assertThat(told).containsOnly("again");
  }

  /** Such as a class that is missing, or no memory left for one turn. */
  @Test
  void anErrorOfTheJvmIsReportedAndDoesNotEndTheLoop() {
    AtomicInteger turns = new AtomicInteger();
    List<Exception> told = new CopyOnWriteArrayList<>();
    Loop.Step failing =
        () -> {
          throw turns.incrementAndGet() % 2 == 0
              ? new NoClassDefFoundError("com/example/Missing")
              : new StackOverflowError();
        };
    try (Loop loop = Loop.start("missing-class", failing, SHORT, told::add)) {
      await().until(() -> told.size() >= 3);
      loop.wake();
    }
    assertThat(LoopFailures.count("missing-class")).isGreaterThanOrEqualTo(3);
    assertThat(told.get(0)).hasRootCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void aWakeUpDuringATurnEndsTheRestAfterIt() {
    List<Integer> turns = new CopyOnWriteArrayList<>();
    Loop[] itself = new Loop[1];
    try (Loop loop =
        Loop.start(
            "woken",
            () -> {
              await().until(() -> itself[0] != null);
              if (turns.isEmpty()) {
                itself[0].wake();
              }
              turns.add(turns.size());
              return false;
            },
            LONG,
            e -> {})) {
      itself[0] = loop;
      await().until(() -> turns.size() >= 2);
    }
    assertThat(turns).containsExactly(0, 1);
  }
}
