package dev.semel.net.internal;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** How long a server asks to wait: {@code Retry-After} in seconds or as a date. */
public final class RetryAfter {
  /** The longest wait, whatever a server asks for; callers have lower limits. */
  public static final Duration LONGEST = Duration.ofDays(30);

  private static final String HEADER = "Retry-After";

  /** More digits than this are more seconds than {@link #LONGEST}. */
  private static final int MAX_DIGITS = 9;

  private RetryAfter() {}

  /** Whether the server asks for a retry at all. */
  public static boolean isIn(HttpHeaders answer) {
    return answer.firstValue(HEADER).isPresent();
  }

  /**
   * How long to wait; zero if the server does not say, or not in a known format.
   *
   * @param now on this machine, for a server that sends no date
   */
  public static Duration of(HttpHeaders answer, Instant now) {
    String text = answer.firstValue(HEADER).orElse("").strip();
    // Use the server's clock if it sends the time: ours may be wrong.
    return text.isEmpty()
        ? Duration.ZERO
        : of(text, answer.firstValue("Date").flatMap(RetryAfter::date).orElse(now));
  }

  private static Duration of(String text, Instant now) {
    Duration asked =
        text.matches("\\d+")
            ? seconds(text)
            : date(text).map(until -> Duration.between(now, until)).orElse(Duration.ZERO);
    if (asked.isNegative()) {
      return Duration.ZERO;
    }
    return asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  private static Duration seconds(String digits) {
    return digits.length() > MAX_DIGITS ? LONGEST : Duration.ofSeconds(Long.parseLong(digits));
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
