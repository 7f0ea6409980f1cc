package dev.semel.internal;

import dev.semel.InvalidInput;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats and parses durations as people write them: {@code 24h}, {@code 1h30m}, {@code 1.5s},
 * {@code 250ms}. The same on every machine, whatever its language.
 */
public final class DurationText {
  /** Longest duration that is accepted; it converts to nanoseconds without overflow. */
  public static final Duration MAX = Duration.ofDays(36_500);

  private static final int MAX_LENGTH = 64;
  private static final int HOURS_SHOWN_AS_DAYS = 48;
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private static final String AMOUNT = "(\\d{1,18}(?:\\.\\d{1,9})?)";

  /** Largest unit first, each at most once: {@code 30m1h} is more likely a slip than meant. */
  private static final Pattern UNITS =
      Pattern.compile("(?:%1$sd)?(?:%1$sh)?(?:%1$sm(?!s))?(?:%1$ss)?(?:%1$sms)?".formatted(AMOUNT));

  private static final long[] UNIT_NANOS = {
    Duration.ofDays(1).toNanos(),
    Duration.ofHours(1).toNanos(),
    Duration.ofMinutes(1).toNanos(),
    NANOS_PER_SECOND,
    NANOS_PER_MILLI
  };

  private DurationText() {}

  /** Parses {@code 24h}, {@code 7d}, {@code 1h30m}, {@code 500ms} or ISO 8601's {@code PT5M}. */
  public static Duration parse(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw unreadable(text);
    }
    Duration duration =
        text.startsWith("P") || text.startsWith("p") ? parseIso(text) : parseUnits(text);
    if (!duration.isPositive()) {
      throw new InvalidInput(
          "the duration %s is not longer than nothing: write one such as 30s or 24h"
              .formatted(PrintableText.quoted(text)));
    }
    if (duration.compareTo(MAX) > 0) {
      throw tooLong(text);
    }
    return duration;
  }

  private static Duration parseIso(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw e.getCause() == null
          ? unreadable(text)
          : tooLong(text); // with a cause, its numbers overflow
    }
  }

  private static Duration parseUnits(String text) {
    Matcher m = UNITS.matcher(text);
    if (!m.matches()) {
      throw unreadable(text);
    }
    BigDecimal nanos = BigDecimal.ZERO;
    for (int unit = 0; unit < UNIT_NANOS.length; unit++) {
      String amount = m.group(unit + 1);
      if (amount != null) {
        nanos = nanos.add(new BigDecimal(amount).multiply(BigDecimal.valueOf(UNIT_NANOS[unit])));
      }
    }
    if (nanos.stripTrailingZeros().scale() > 0) {
      throw unreadable(text); // finer than a nanosecond
    }
    BigInteger whole = nanos.toBigInteger();
    if (whole.bitLength() >= Long.SIZE) {
      throw tooLong(text);
    }
    return Duration.ofNanos(whole.longValue());
  }

  private static InvalidInput unreadable(String text) {
    return new InvalidInput(
        "%s is not a duration: write one such as 500ms, 30s, 1h30m, 24h, 7d or PT5M"
            .formatted(PrintableText.quoted(text)));
  }

  private static InvalidInput tooLong(String text) {
    return new InvalidInput(
        "the duration %s is over the limit of %dd: write a shorter one, such as 30d"
            .formatted(PrintableText.quoted(text), MAX.toDays()));
  }

  /** Exact: {@link #parse} returns the same duration, if it accepts it. */
  public static String format(Duration duration) {
    if (duration.isNegative()) {
      return "-" + format(duration.negated());
    }
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.isZero() ? "0s" : decimal(duration.toNanosPart(), NANOS_PER_MILLI) + "ms";
    }
    boolean inDays = duration.toHours() >= HOURS_SHOWN_AS_DAYS; // a day is better known as 24h
    StringBuilder out = new StringBuilder();
    append(out, inDays ? duration.toDays() : 0, 'd');
    append(out, inDays ? duration.toHoursPart() : duration.toHours(), 'h');
    append(out, duration.toMinutesPart(), 'm');
    if (duration.toSecondsPart() > 0 || duration.toNanosPart() > 0) {
      long nanos = (long) duration.toSecondsPart() * NANOS_PER_SECOND + duration.toNanosPart();
      out.append(decimal(nanos, NANOS_PER_SECOND)).append('s');
    }
    return out.toString();
  }

  /** Rounded down to the two leading units, for display: {@code 23h14m}. */
  public static String brief(Duration duration) {
    if (duration.isNegative()) {
      return "-" + brief(duration.negated());
    }
    if (duration.toHours() >= HOURS_SHOWN_AS_DAYS) {
      return format(duration.truncatedTo(ChronoUnit.HOURS));
    }
    if (duration.toHours() >= 1) {
      return format(duration.truncatedTo(ChronoUnit.MINUTES));
    }
    if (duration.toMinutes() >= 1) {
      return format(duration.truncatedTo(ChronoUnit.SECONDS));
    }
    int tenth = (duration.toSeconds() >= 1 ? NANOS_PER_SECOND : NANOS_PER_MILLI) / 10;
    return format(duration.minusNanos(duration.toNanosPart() % tenth));
  }

  private static String decimal(long nanos, int unit) {
    return BigDecimal.valueOf(nanos)
        .divide(BigDecimal.valueOf(unit))
        .stripTrailingZeros()
        .toPlainString();
  }

  private static void append(StringBuilder out, long amount, char unit) {
    if (amount > 0) {
      out.append(amount).append(unit);
    }
  }
}
