package dev.semel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutageBackoffTest {
  private static final Duration FIRST = Duration.ofMillis(200);

  private long now;

  private final Platform platform =
      new Platform() {
        @Override
        public long nanos() {
          return now;
        }

        @Override
        public long random(long bound) {
          return bound - 1;
        }
      };

  @Test
  void anOutageLastsFromItsFirstFailureUntilItGoesOn() {
    OutageBackoff outage = new OutageBackoff(platform, FIRST, Duration.ofSeconds(1));
    assertThat(outage.end()).as("nothing had failed").isEmpty();
    assertThat(outage.nextNanos()).isEqualTo(FIRST.toNanos());
    now += FIRST.toNanos();
    assertThat(outage.nextNanos()).isEqualTo(FIRST.toNanos() * 2);
    now += FIRST.toNanos();
    assertThat(outage.end()).contains(FIRST.multipliedBy(2));
    assertThat(outage.end()).isEmpty();
    assertThat(outage.nextNanos()).as("anew").isEqualTo(FIRST.toNanos());
  }
}
