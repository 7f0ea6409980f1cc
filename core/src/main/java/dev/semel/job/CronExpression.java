package dev.semel.job;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Five fields in a zone. Between two offset changes of the zone, local time runs evenly, so a
 * search goes through such stretches; {@code firstOf} and {@code dueWithin} handle the changes.
 */
final class CronExpression implements CronSchedule {
  /** 29 February on a certain day of the week is at most 40 years away, also over 2100. */
  private static final int MAX_YEARS = 44;

  private static final int FIELDS = 5;
  private static final int HOURS = 24;

  private static final Map<String, String> NAMED =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  private final String text;
  private final ZoneId zone;
  private final ZoneRules rules;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final boolean eitherDay;

  /** Due in every hour: when an hour comes twice, in both. */
  private final boolean everyHour;

  private CronExpression(String text, String[] fields, ZoneId zone) {
    this.text = text;
    this.zone = zone;
    this.rules = zone.getRules();
    this.minutes = CronField.MINUTE.read(fields[0]);
    this.hours = CronField.HOUR.read(fields[1]);
    this.daysOfMonth = CronField.DAY_OF_MONTH.read(fields[2]);
    this.months = CronField.MONTH.read(fields[3]);
    this.daysOfWeek = CronField.DAY_OF_WEEK.read(fields[4]);
    this.eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
    this.everyHour = hours.cardinality() == HOURS;
    boolean possible =
        eitherDay
            || months.stream().anyMatch(m -> Month.of(m).maxLength() >= daysOfMonth.nextSetBit(0));
    if (!possible) {
      throw new InvalidInput(
          "the cron expression %s is never due: none of its months (%s) has one of its days (%s)"
              .formatted(PrintableText.quoted(text), fields[3], fields[2]));
    }
  }

  static CronExpression parse(String text, ZoneId zone) {
    String trimmed = text.strip();
    String[] fields = NAMED.getOrDefault(trimmed, trimmed).split("\\s+");
    if (trimmed.startsWith("@") && !NAMED.containsKey(trimmed)) {
      throw new InvalidInput(
          "%s is not a schedule: use @hourly, @daily, @weekly, @monthly, @yearly or five fields"
              .formatted(PrintableText.quoted(text)));
    }
    if (fields.length != FIELDS || trimmed.isEmpty()) {
      throw new InvalidInput(
          "the cron expression %s has %d fields: it needs five, minute, hour, day of month, month and day of week, such as \"30 6 * * MON-FRI\""
              .formatted(PrintableText.quoted(text), trimmed.isEmpty() ? 0 : fields.length));
    }
    return new CronExpression(trimmed, fields, zone);
  }

  @Override
  public Instant next(Instant after) {
    Instant from = after.plusNanos(1);
    LocalDate horizon = LocalDate.ofInstant(after, zone).plusYears(MAX_YEARS);
    while (true) {
      ZoneOffset offset = rules.getOffset(from);
      LocalDateTime begin = LocalDateTime.ofInstant(from, offset);
      ZoneOffsetTransition last = rules.previousTransition(from.plusNanos(1));
      LocalDateTime first = last == null ? begin : later(begin, firstOf(last));
      ZoneOffsetTransition end = rules.nextTransition(from);
      Optional<Instant> slot = localAtOrAfter(first, horizon).map(l -> l.toInstant(offset));
      if (slot.isPresent() && (end == null || slot.get().isBefore(end.getInstant()))) {
        return slot.get();
      }
      if (end == null || LocalDate.ofInstant(from, zone).isAfter(horizon)) {
        throw new IllegalStateException(this + " is not due within " + MAX_YEARS + " years");
      }
      if (dueWithin(end)) {
        return end.getInstant();
      }
      from = end.getInstant();
    }
  }

  @Override
  public Instant previous(Instant before) {
    Instant to = before;
    LocalDate horizon = LocalDate.ofInstant(before, zone).minusYears(MAX_YEARS);
    while (true) {
      ZoneOffset offset = rules.getOffset(to.minusNanos(1));
      ZoneOffsetTransition start = rules.previousTransition(to);
      Optional<LocalDateTime> local = localBefore(LocalDateTime.ofInstant(to, offset), horizon);
      if (local.isPresent() && (start == null || !local.get().isBefore(firstOf(start)))) {
        return local.get().toInstant(offset);
      }
      if (start == null || LocalDate.ofInstant(to, zone).isBefore(horizon)) {
        throw new IllegalStateException(this + " was not due within " + MAX_YEARS + " years");
      }
      if (dueWithin(start)) {
        return start.getInstant();
      }
      to = start.getInstant();
    }
  }

  /** The first local time that counts after an offset change: repeated hours may not count. */
  private LocalDateTime firstOf(ZoneOffsetTransition seam) {
    return seam.isOverlap() && !everyHour ? seam.getDateTimeBefore() : seam.getDateTimeAfter();
  }

  /** Whether a slot falls into the skipped local time: it is due right after the gap. */
  private boolean dueWithin(ZoneOffsetTransition seam) {
    return seam.isGap()
        && localAtOrAfter(seam.getDateTimeBefore(), seam.getDateTimeAfter().toLocalDate())
            .filter(local -> local.isBefore(seam.getDateTimeAfter()))
            .isPresent();
  }

  private static LocalDateTime later(LocalDateTime a, LocalDateTime b) {
    return a.isBefore(b) ? b : a;
  }

  private Optional<LocalDateTime> localAtOrAfter(LocalDateTime from, LocalDate horizon) {
    LocalDate day = from.toLocalDate();
    boolean whole = from.getSecond() == 0 && from.getNano() == 0;
    int minuteOfDay = from.getHour() * 60 + from.getMinute() + (whole ? 0 : 1);
    while (!day.isAfter(horizon)) {
      if (!months.get(day.getMonthValue())) {
        day = day.withDayOfMonth(1).plusMonths(1);
      } else {
        Optional<LocalTime> time = due(day) ? timeAtOrAfter(minuteOfDay) : Optional.empty();
        if (time.isPresent()) {
          return Optional.of(day.atTime(time.get()));
        }
        day = day.plusDays(1);
      }
      minuteOfDay = 0;
    }
    return Optional.empty();
  }

  private Optional<LocalDateTime> localBefore(LocalDateTime to, LocalDate horizon) {
    LocalDate day = to.toLocalDate();
    boolean whole = to.getSecond() == 0 && to.getNano() == 0;
    int minuteOfDay = to.getHour() * 60 + to.getMinute() - (whole ? 1 : 0);
    while (!day.isBefore(horizon)) {
      if (!months.get(day.getMonthValue())) {
        day = day.withDayOfMonth(1).minusDays(1);
      } else {
        Optional<LocalTime> time = due(day) ? timeAtOrBefore(minuteOfDay) : Optional.empty();
        if (time.isPresent()) {
          return Optional.of(day.atTime(time.get()));
        }
        day = day.minusDays(1);
      }
      minuteOfDay = HOURS * 60 - 1;
    }
    return Optional.empty();
  }

  private boolean due(LocalDate day) {
    boolean byMonth = daysOfMonth.get(day.getDayOfMonth());
    boolean byWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
    return eitherDay ? byMonth || byWeek : byMonth && byWeek;
  }

  private Optional<LocalTime> timeAtOrAfter(int minuteOfDay) {
    int hour = hours.nextSetBit(minuteOfDay / 60);
    int minute = minutes.nextSetBit(hour == minuteOfDay / 60 ? minuteOfDay % 60 : 0);
    if (hour >= 0 && minute < 0) {
      hour = hours.nextSetBit(hour + 1);
      minute = minutes.nextSetBit(0);
    }
    return hour < 0 ? Optional.empty() : Optional.of(LocalTime.of(hour, minute));
  }

  private Optional<LocalTime> timeAtOrBefore(int minuteOfDay) {
    if (minuteOfDay < 0) {
      return Optional.empty();
    }
    int hour = hours.previousSetBit(minuteOfDay / 60);
    int minute = minutes.previousSetBit(hour == minuteOfDay / 60 ? minuteOfDay % 60 : 59);
    if (hour >= 0 && minute < 0) {
      hour = hour == 0 ? -1 : hours.previousSetBit(hour - 1);
      minute = minutes.previousSetBit(59);
    }
    return hour < 0 ? Optional.empty() : Optional.of(LocalTime.of(hour, minute));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronExpression e && text.equals(e.text) && zone.equals(e.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text, zone);
  }

  @Override
  public String toString() {
    return text + " " + zone;
  }
}
