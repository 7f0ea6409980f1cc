package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class QueueBreakerTest {
  private static final Operation EXPORTS = new Operation("exports");
  private static final int FAILURES = 3;
  private static final Duration REST = Duration.ofSeconds(10);
  private static final int WANTED = 5;

  private final AtomicLong now = new AtomicLong();
  private final List<Event> events = new ArrayList<>();
  private final QueueBreaker breaker =
      new QueueBreaker(
          new Platform() {
            @Override
            public long nanos() {
              return now.get();
            }
          },
          EXPORTS,
          ProcessorSettings.defaults().withCircuit(FAILURES, REST),
          events::add);

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.failed("failure " + i);
    }
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void fewerFailuresThanThatChangeNothing() {
    fail(FAILURES - 1);
    assertThat(breaker.allows(WANTED)).isEqualTo(WANTED);
    assertThat(breaker.isOpen()).isFalse();
    assertThat(events).isEmpty();
  }

  @Test
  void asManyFailuresInARowOpenItOnce() {
    fail(FAILURES + 2);
    assertThat(breaker.allows(WANTED)).isZero();
    assertThat(breaker.isOpen()).isTrue();
    assertThat(events).containsExactly(new Event.CircuitChanged(EXPORTS, true, "failure 2"));
  }

  @Test
  void successInBetweenStartsTheCountAnew() {
    fail(FAILURES - 1);
    breaker.succeeded();
    fail(FAILURES - 1);
    assertThat(breaker.isOpen()).isFalse();
    assertThat(events).isEmpty();
  }

  @Test
  void afterTheRestOneIsTriedForAll() {
    fail(FAILURES);
    pass(REST.minusNanos(1));
    assertThat(breaker.allows(WANTED)).isZero();
    pass(Duration.ofNanos(1));
    assertThat(breaker.allows(WANTED)).isOne();
    assertThat(breaker.allows(WANTED)).isZero();
  }

  @Test
  void whereNoneIsWantedNoneIsTried() {
    fail(FAILURES);
    pass(REST);
    assertThat(breaker.allows(0)).isZero();
    assertThat(breaker.allows(-1)).isZero();
    assertThat(breaker.allows(1)).as("the try is not used up").isOne();
  }

  @Test
  void oneThatNeverAnswersIsFollowedByAnother() {
    fail(FAILURES);
    pass(REST);
    assertThat(breaker.allows(WANTED)).isOne();
    pass(REST);
    assertThat(breaker.allows(WANTED)).isOne();
  }

  @Test
  void oneThatFailsLetsItRestAgainFromThen() {
    fail(FAILURES);
    pass(REST);
    assertThat(breaker.allows(WANTED)).isOne();
    pass(REST.dividedBy(2));
    breaker.failed("still");
    pass(REST.minusNanos(1));
    assertThat(breaker.allows(WANTED)).isZero();
    pass(Duration.ofNanos(1));
    assertThat(breaker.allows(WANTED)).isOne();
    assertThat(events).hasSize(1);
  }

  @Test
  void oneThatSucceedsClosesIt() {
    fail(FAILURES);
    pass(REST);
    assertThat(breaker.allows(WANTED)).isOne();
    breaker.succeeded();
    breaker.succeeded();
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.allows(WANTED)).isEqualTo(WANTED);
    assertThat(events)
        .containsExactly(
            new Event.CircuitChanged(EXPORTS, true, "failure 2"),
            new Event.CircuitChanged(EXPORTS, false, ""));
    fail(FAILURES - 1);
    assertThat(breaker.isOpen()).isFalse();
  }
}
