package dev.semel.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-17T10:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "120                           |                               | 120",
        "0                             |                               | 0",
        "007                           |                               | 7",
        "Tue, 17 Nov 2026 10:01:00 GMT |                               | 60",
        "Tue, 17 Nov 2026 09:00:00 GMT |                               | 0",
        "Tue, 17 Nov 2026 10:01:00 GMT | Tue, 17 Nov 2026 10:00:55 GMT | 5",
        "Tue, 17 Nov 2026 10:01:00 GMT | yesterday                     | 60",
        "Mon, 17 Nov 2036 10:01:00 GMT |                               | 2592000",
        "Tue, 31 Feb 2026 10:01:00 GMT |                               | 0",
        "120                           | Tue, 17 Nov 2026 10:00:55 GMT | 120",
        "999999999                     |                               | 2592000",
        "99999999999999999999          |                               | 2592000",
        "-5                            |                               | 0",
        "+5                            |                               | 0",
        "1.5                           |                               | 0",
        "\u0661                        |                               | 0",
        "5, 10                         |                               | 0",
        "''                            |                               | 0",
        "soon                          |                               | 0"
      })
  void secondsAndDatesAreRead(@Nullable String retryAfter, @Nullable String date, long seconds) {
    assertThat(RetryAfter.of(headers(retryAfter, date), NOW))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void nothingIsAskedWithoutTheHeader() {
    HttpHeaders none = headers(null, "Tue, 17 Nov 2026 10:00:55 GMT");
    assertThat(RetryAfter.of(none, NOW)).isZero();
    assertThat(RetryAfter.isIn(none)).isFalse();
    assertThat(RetryAfter.isIn(headers("soon", null))).isTrue();
  }

  private static HttpHeaders headers(@Nullable String retryAfter, @Nullable String date) {
    Map<String, List<String>> lines = new HashMap<>();
    if (retryAfter != null) {
      lines.put("retry-after", List.of(retryAfter));
    }
    if (date != null) {
      lines.put("date", List.of(date));
    }
    return HttpHeaders.of(lines, (name, value) -> true);
  }
}
