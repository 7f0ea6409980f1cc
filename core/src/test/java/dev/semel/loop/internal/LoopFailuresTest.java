package dev.semel.loop.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.event.Event;
import dev.semel.event.ProcessEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class LoopFailuresTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private static boolean fail() {
    throw new IllegalStateException("broken");
  }

  @Test
  void everyFailedTurnIsCountedAndTheFirstIsAnEvent() {
    List<Event> events = new CopyOnWriteArrayList<>();
    String name = "fails-often";
    try (ProcessEvents.Listening listening = ProcessEvents.listen(events::add);
        Loop loop = Loop.start(name, LoopFailuresTest::fail, SHORT)) {
      await().until(() -> LoopFailures.count(name) >= 3);
      loop.wake();
      assertThat(listening).isNotNull();
    }
    assertThat(LoopFailures.counts()).containsKey(name);
    assertThat(events)
        .filteredOn(e -> e instanceof Event.LoopFailed failed && failed.loop().equals(name))
        .as("limited to one a minute")
        .singleElement()
        .isEqualTo(new Event.LoopFailed(name, 1, "java.lang.IllegalStateException: broken"));
  }

  @Test
  void aFailureThatItsFeatureLogsIsCountedAndWithItsLineAnEvent() {
    List<Event> events = new CopyOnWriteArrayList<>();
    String name = "logs-its-outages";
    ProcessEvents.Listening listening = ProcessEvents.listen(events::add);
    LoopFailures.reportLogged(name, new IllegalStateException("away"), false);
    assertThat(events).noneMatch(e -> isOf(name, e));
    LoopFailures.reportLogged(name, new IllegalStateException("away"), true);
    listening.close();
    assertThat(events).anyMatch(e -> isOf(name, e));
    assertThat(LoopFailures.count(name)).isEqualTo(2);
  }

  private static boolean isOf(String loop, Event event) {
    return event instanceof Event.LoopFailed failed && failed.loop().equals(loop);
  }

  @Test
  void aListenerThatFailsKeepsNoneOfTheOthersFromHearing() {
    List<Event> events = new CopyOnWriteArrayList<>();
    IllegalStateException failure = new IllegalStateException("broken");
    ProcessEvents.Listening first =
        ProcessEvents.listen(
            event -> {
              throw new IllegalArgumentException("a listener's own fault");
            });
    ProcessEvents.Listening second = ProcessEvents.listen(events::add);
    LoopFailures.report("heard-by-two", failure);
    first.close();
    second.close();
    assertThat(events)
        .anyMatch(e -> e instanceof Event.LoopFailed f && f.loop().equals("heard-by-two"));
  }
}
