package dev.semel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private long now;
  private boolean lucky;

  private final Platform platform =
      new Platform() {
        @Override
        public long nanos() {
          return now;
        }

        @Override
        public long random(long bound) {
          return lucky ? 0 : bound - 1;
        }
      };

  private Duration after(long failures) {
    return Backoff.after(failures, FIRST, LONGEST, platform);
  }

  @Test
  void eachFailureDoublesThePauseUpToTheLongest() {
    assertThat(Stream.of(1L, 2L, 3L, 4L).map(this::after))
        .containsExactly(FIRST, FIRST.multipliedBy(2), FIRST.multipliedBy(4), LONGEST);
  }

  @Test
  void noPauseIsShorterThanHalfOfWhatItCouldBe() {
    lucky = true;
    assertThat(after(1)).isEqualTo(FIRST.dividedBy(2));
    assertThat(after(4)).isEqualTo(LONGEST.dividedBy(2));
  }

  @Test
  void howeverOftenItFailedThePauseIsTheLongest() {
    assertThat(Stream.of(31L, 64L, 1_000L, Long.MAX_VALUE).map(this::after)).containsOnly(LONGEST);
    Duration years = Duration.ofDays(100 * 365);
    assertThat(Backoff.after(40, Duration.ofDays(1), years, platform)).isEqualTo(years);
  }

  @Test
  void anOutageLastsFromItsFirstFailureUntilItGoesOn() {
    OutageBackoff outage = new OutageBackoff(platform, FIRST, LONGEST);
    assertThat(outage.end()).as("nothing had failed").isEmpty();
    assertThat(outage.nextNanos()).isEqualTo(FIRST.toNanos());
    now += FIRST.toNanos();
    assertThat(outage.nextNanos()).isEqualTo(FIRST.toNanos() * 2);
    assertThat(outage.end()).contains(FIRST);
    assertThat(outage.end()).isEmpty();
    assertThat(outage.nextNanos()).as("the next one begins anew").isEqualTo(FIRST.toNanos());
  }
}
