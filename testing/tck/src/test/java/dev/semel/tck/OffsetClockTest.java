package dev.semel.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OffsetClockTest {
  @Test
  void goesWithTheOtherAndJumpsEitherWay() {
    ManualClock right = new ManualClock();
    OffsetClock clock = new OffsetClock(right);
    assertThat(clock.instant()).isEqualTo(right.instant());
    clock.set(Duration.ofMinutes(5));
    right.advance(Duration.ofSeconds(1));
    assertThat(clock.instant()).isEqualTo(right.instant().plus(Duration.ofMinutes(5)));
    clock.set(Duration.ofMinutes(-5));
    assertThat(clock.instant()).isEqualTo(right.instant().minus(Duration.ofMinutes(5)));
  }
}
