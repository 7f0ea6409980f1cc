package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random expressions around changes of the clocks, against a look at each single minute. */
final class CronSchedulePropertyTest {
  private static final int EXPRESSIONS = 60;
  private static final int DAYS = 5;

  /** Lord Howe's clocks change by half an hour, and Santiago's at midnight. */
  private static final List<String> ZONES =
      List.of(
          "Europe/Berlin",
          "America/New_York",
          "Australia/Lord_Howe",
          "America/Santiago",
          "Asia/Kolkata");

  @ParameterizedTest
  @ValueSource(longs = {1, 20261117, 77, 4242})
  void slotsAreThoseThatALookAtEachMinuteFinds(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < EXPRESSIONS; i++) {
      ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
      Model model = Model.random(random, zone);
      Instant from = nearAChange(random, zone);
      Instant to = from.plus(Duration.ofDays(DAYS));
      TreeSet<Instant> expected = new TreeSet<>();
      for (Instant t = from; t.isBefore(to); t = t.plus(1, ChronoUnit.MINUTES)) {
        if (model.due(t)) {
          expected.add(t);
        }
      }
      String what = "seed " + seed + ": " + model.text() + " in " + zone + " from " + from;
      CronSchedule schedule = CronSchedule.parse(model.text(), zone);
      TreeSet<Instant> forward = new TreeSet<>();
      for (Instant t = schedule.next(from.minusNanos(1)); t.isBefore(to); t = schedule.next(t)) {
        forward.add(t);
      }
      assertThat(forward).as(what).isEqualTo(expected);
      TreeSet<Instant> backward = new TreeSet<>();
      for (Instant t = schedule.previous(to); !t.isBefore(from); t = schedule.previous(t)) {
        backward.add(t);
      }
      assertThat(backward).as(what + ", backward").isEqualTo(expected);
    }
  }

  /** Some days that hold the zone's next change, if it has one. */
  private static Instant nearAChange(Random random, ZoneId zone) {
    Instant somewhen =
        Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(random.nextInt(1500)));
    ZoneOffsetTransition change = zone.getRules().nextTransition(somewhen);
    Instant middle = change == null ? somewhen : change.getInstant();
    return middle
        .minus(Duration.ofMinutes(random.nextInt(DAYS * 24 * 60)))
        .truncatedTo(ChronoUnit.MINUTES);
  }

  private record Model(
      ZoneId zone,
      TreeSet<Integer> minutes,
      TreeSet<Integer> hours,
      TreeSet<Integer> days,
      TreeSet<Integer> months,
      TreeSet<Integer> weekdays) {

    static Model random(Random random, ZoneId zone) {
      return new Model(
          zone,
          some(random, 0, 59, 3),
          some(random, 0, 23, 3),
          withFirst(some(random, 1, 31, 3)),
          some(random, 1, 12, 6),
          some(random, 0, 6, 3));
    }

    /** All of them in a third of the cases. */
    private static TreeSet<Integer> some(Random random, int first, int last, int atMost) {
      if (random.nextInt(3) == 0) {
        return IntStream.rangeClosed(first, last)
            .boxed()
            .collect(Collectors.toCollection(TreeSet::new));
      }
      return IntStream.rangeClosed(0, random.nextInt(atMost))
          .mapToObj(i -> first + random.nextInt(last - first + 1))
          .collect(Collectors.toCollection(TreeSet::new));
    }

    String text() {
      return String.join(
          " ",
          text(minutes, 60),
          text(hours, 24),
          text(days, 31),
          text(months, 12),
          text(weekdays, 7));
    }

    /** So that some day is always possible. */
    private static TreeSet<Integer> withFirst(TreeSet<Integer> days) {
      days.add(1);
      return days;
    }

    private static String text(TreeSet<Integer> values, int all) {
      return values.size() == all
          ? "*"
          : values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    boolean due(Instant minute) {
      ZonedDateTime here = minute.atZone(zone);
      boolean again = here.withEarlierOffsetAtOverlap().toInstant().isBefore(minute);
      if (matches(here.toLocalDateTime()) && (!again || hours.size() == 24)) {
        return true;
      }
      ZoneOffsetTransition change = zone.getRules().getTransition(leftOut(here));
      return change != null && change.getInstant().equals(minute) && leftOutIsDue(change);
    }

    /** A local time that does not exist, if this is the first minute after such. */
    private static LocalDateTime leftOut(ZonedDateTime here) {
      return here.toLocalDateTime().minusMinutes(1);
    }

    private boolean leftOutIsDue(ZoneOffsetTransition change) {
      if (!change.isGap()) {
        return false;
      }
      for (LocalDateTime l = change.getDateTimeBefore();
          l.isBefore(change.getDateTimeAfter());
          l = l.plusMinutes(1)) {
        if (matches(l)) {
          return true;
        }
      }
      return false;
    }

    private boolean matches(LocalDateTime local) {
      boolean byMonth = days.contains(local.getDayOfMonth());
      boolean byWeek = weekdays.contains(local.getDayOfWeek().getValue() % 7);
      boolean either = days.size() < 31 && weekdays.size() < 7;
      return minutes.contains(local.getMinute())
          && hours.contains(local.getHour())
          && months.contains(local.getMonthValue())
          && (either ? byMonth || byWeek : byMonth && byWeek);
    }
  }
}
