package dev.semel.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class CacheCursorsTest {
  private final CacheCursors cursors =
      new CacheCursors(InstantSource.fixed(Instant.parse("2024-10-09T00:01:00Z")));

  @Test
  void countIntervalsOfTwentySeconds() {
    assertThat(cursors.now()).isEqualTo(3);
    assertThat(cursors.after(-1)).isEqualTo(3);
    assertThat(cursors.after(2)).isEqualTo(3);
  }

  @Test
  void neverGoBackAndNeverStay() {
    for (int i = 0; i < 1000; i++) {
      assertThat(cursors.after(3)).isBetween(4L, 3L + 180);
      assertThat(cursors.after(1_000_000)).isGreaterThan(1_000_000);
    }
  }

  @Test
  void whatIsNoneIsIgnored() {
    for (String none : new String[] {null, "", "-1", "x", "1e3", "9999999999999999"}) {
      assertThat(CacheCursors.parse(none)).isEqualTo(-1);
    }
    assertThat(CacheCursors.parse("42")).isEqualTo(42);
  }
}
