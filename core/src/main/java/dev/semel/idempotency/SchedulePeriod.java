package dev.semel.idempotency;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.regex.Pattern;

/** The period in which scheduled work must happen once; see {@link KeyStrategies#dateBased}. */
public enum SchedulePeriod {
  /** Includes the offset from UTC, because one hour comes twice when summer time ends. */
  HOUR(
      pattern("uuuu-MM-dd'T'HHXXXXX"),
      Text.DATE + "T([01]\\d|2[0-3])(Z|[+-][\\d:]+)",
      "2026-11-15T13+01:00"),
  DAY(pattern("uuuu-MM-dd"), Text.DATE, "2026-11-15"),
  /** ISO 8601 weeks: they start on Monday and belong to the year of their Thursday. */
  WEEK(
      new DateTimeFormatterBuilder()
          .appendValue(IsoFields.WEEK_BASED_YEAR, 4)
          .appendLiteral("-W")
          .appendValue(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 2)
          .toFormatter(Locale.ROOT),
      "\\d{4}-W(0[1-9]|[1-4]\\d|5[0-3])",
      "2026-W46"),
  MONTH(pattern("uuuu-MM"), Text.MONTH, "2026-11");

  private final DateTimeFormatter formatter;
  private final Pattern shape;
  private final String example;

  SchedulePeriod(DateTimeFormatter formatter, String shape, String example) {
    this.formatter = formatter;
    this.shape = Pattern.compile(shape);
    this.example = example;
  }

  private static DateTimeFormatter pattern(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }

  /** The name of the period that contains this moment. */
  String at(ZonedDateTime moment) {
    return formatter.format(moment);
  }

  boolean names(String period) {
    return shape.matcher(period).matches();
  }

  String example() {
    return example;
  }

  private static final class Text {
    static final String MONTH = "\\d{4}-(0[1-9]|1[0-2])";
    static final String DATE = MONTH + "-(0[1-9]|[12]\\d|3[01])";
  }
}
