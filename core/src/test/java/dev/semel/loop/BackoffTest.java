package dev.semel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private static long least(long bound) {
    return 0;
  }

  private static long most(long bound) {
    return bound - 1;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100",
    "1, 100",
    "2, 200",
    "3, 400",
    "4, 800",
    "5, 1000",
    "64, 1000",
    "9223372036854775807, 1000"
  })
  void pausesDoubleUpToTheLongest(long failures, long millis) {
    Duration whole = Duration.ofMillis(millis);
    assertThat(Backoff.pauseOfOne(FIRST, LONGEST, failures)).isEqualTo(whole);
    assertThat(Backoff.pause(FIRST, LONGEST, failures, BackoffTest::least))
        .isEqualTo(whole.dividedBy(2));
    assertThat(Backoff.pause(FIRST, LONGEST, failures, BackoffTest::most)).isEqualTo(whole);
  }

  @Test
  void longestHoldsForTheFirstPauseTooAndNothingOverflows() {
    Duration century = Duration.ofDays(36_500);
    assertThat(Backoff.pauseOfOne(Duration.ofSeconds(9), LONGEST, 1)).isEqualTo(LONGEST);
    assertThat(Backoff.pauseOfOne(century.dividedBy(3), century, 3)).isEqualTo(century);
    assertThat(Backoff.pause(Duration.ZERO, Duration.ZERO, 9, BackoffTest::most)).isZero();
  }

  @Test
  void jitterIsThePlatforms() {
    Platform drawn =
        new Platform() {
          @Override
          public long random(long bound) {
            return most(bound);
          }
        };
    Backoff backoff = new Backoff(drawn, FIRST, LONGEST);
    for (long millis : new long[] {100, 200, 400, 800, 1000, 1000}) {
      assertThat(backoff.nextNanos()).isEqualTo(Duration.ofMillis(millis).toNanos());
    }
  }
}
