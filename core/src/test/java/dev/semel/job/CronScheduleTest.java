package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CronScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  private static Instant at(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  private static Instant utc(String local) {
    return LocalDateTime.parse(local).toInstant(ZoneOffset.UTC);
  }

  /** The slots after a moment, after each of which the one before it is asked for too. */
  private static List<Instant> slots(CronSchedule schedule, Instant after, int count) {
    List<Instant> slots = new ArrayList<>();
    Instant slot = after;
    for (int i = 0; i < count; i++) {
      Instant next = schedule.next(slot);
      if (i > 0) {
        assertThat(schedule.previous(next)).as("the one before " + next).isEqualTo(slot);
      }
      slot = next;
      slots.add(slot);
    }
    return slots;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * *          | 2026-11-17T00:00 | 2026-11-17T00:01
          */15 * * * *       | 2026-11-17T00:46 | 2026-11-17T01:00
          5/20 * * * *       | 2026-11-17T00:26 | 2026-11-17T00:45
          0 0 * * *          | 2026-11-17T00:00 | 2026-11-18T00:00
          30 6 * * MON-FRI   | 2026-11-20T06:30 | 2026-11-23T06:30
          0 8-18/2 * * *     | 2026-11-17T18:00 | 2026-11-18T08:00
          0,30 9,17 * * *    | 2026-11-17T09:30 | 2026-11-17T17:00
          0 0 31 * *         | 2026-01-31T00:00 | 2026-03-31T00:00
          0 0 29 2 *         | 2026-01-01T00:00 | 2028-02-29T00:00
          0 0 29 2 *         | 2096-03-01T00:00 | 2104-02-29T00:00
          0 0 * * 0          | 2026-11-17T00:00 | 2026-11-22T00:00
          0 0 * * 7          | 2026-11-17T00:00 | 2026-11-22T00:00
          0 0 * * sun        | 2026-11-17T00:00 | 2026-11-22T00:00
          0 0 * * SAT-SUN    | 2026-11-21T00:00 | 2026-11-22T00:00
          0 0 * * 5-7        | 2026-11-21T00:00 | 2026-11-22T00:00
          0 0 1 JAN,jul *    | 2026-01-01T00:00 | 2026-07-01T00:00
          0 0 13 * FRI       | 2026-11-13T00:00 | 2026-11-20T00:00
          0 0 13 * FRI       | 2026-12-11T00:00 | 2026-12-13T00:00
          0 0 */2 * FRI      | 2026-11-13T00:00 | 2026-11-27T00:00
          0 0 30 2 MON       | 2026-01-01T00:00 | 2026-02-02T00:00
          @hourly            | 2026-11-17T00:00 | 2026-11-17T01:00
          @daily             | 2026-11-17T00:00 | 2026-11-18T00:00
          @weekly            | 2026-11-17T00:00 | 2026-11-22T00:00
          @monthly           | 2026-11-17T00:00 | 2026-12-01T00:00
          @yearly            | 2026-11-17T00:00 | 2027-01-01T00:00
          """)
  void nextSlotIsTheFirstAfter(String expression, String after, String next) {
    CronSchedule schedule = CronSchedule.parse(expression, ZoneOffset.UTC);
    assertThat(schedule.next(utc(after))).isEqualTo(utc(next));
    assertThat(schedule.next(utc(after).plusSeconds(30))).isEqualTo(utc(next));
    assertThat(schedule.next(utc(next).minusNanos(1))).isEqualTo(utc(next));
    assertThat(schedule.previous(utc(next).plusNanos(1))).isEqualTo(utc(next));
    assertThat(schedule.previous(utc(next))).isBefore(utc(after).plusSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          60 * * * *      | minute "60"         | 0 to 59
          * 24 * * *      | hour "24"           | 0 to 23
          * * 0 * *       | day of month "0"    | 1 to 31
          * * 1,32 * *    | day of month "1,32" | 1 to 31
          * * * 13 *      | month "13"          | 1 to 12 or JAN to DEC
          * * * FOO *     | month "FOO"         | JAN to DEC
          * * * * 8       | day of week "8"     | MON to SUN
          * * * * FRI-MON | day of week         | MON to SUN
          */0 * * * *     | minute "*/0"        | a step
          1- * * * *      | minute "1-"         | a range
          1,,2 * * * *    | minute "1,,2"       | a list
          -1 * * * *      | minute "-1"         | 0 to 59
          99999 * * * *   | minute "99999"      | 0 to 59
          * * * *         | 4 fields            | it needs five
          0 * * * * *     | 6 fields            | it needs five
          @fortnightly    | @fortnightly        | @weekly
          0 0 30 2 *      | never due           | months (2)
          0 0 31 4,6 *    | never due           | days (31)
          """)
  void whatCannotBeReadNamesItselfAndWhatIsAllowed(
      String expression, String named, String allowed) {
    assertThatThrownBy(() -> CronSchedule.parse(expression, ZoneOffset.UTC))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(named)
        .hasMessageContaining(allowed);
  }

  @Test
  void nothingIsNoSchedule() {
    assertThatThrownBy(() -> CronSchedule.parse(" ", ZoneOffset.UTC))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("0 fields");
  }

  @Test
  void leapDayThatMustBeACertainWeekdayIsFoundOver2100() {
    // Both must suit, because one of the day fields begins with a star: 29 February on a Sunday.
    CronSchedule schedule = CronSchedule.parse("0 0 29 2 */7", ZoneOffset.UTC);
    assertThat(schedule.next(utc("2076-03-01T00:00"))).isEqualTo(utc("2088-02-29T00:00"));
    Instant after = schedule.next(utc("2088-03-01T00:00"));
    assertThat(after).isAfter(utc("2100-01-01T00:00"));
    assertThat(schedule.previous(after)).isEqualTo(utc("2088-02-29T00:00"));
  }

  @Nested
  final class WhenClocksGoForward {
    @Test
    void slotInTheGapIsDueOnceRightAfterIt() {
      assertThat(slots(CronSchedule.parse("30 2 * * *", BERLIN), at("2026-03-28T00:00+01:00"), 3))
          .containsExactly(
              at("2026-03-28T02:30+01:00"),
              at("2026-03-29T03:00+02:00"),
              at("2026-03-30T02:30+02:00"));
      assertThat(slots(CronSchedule.parse("15 2 * * *", NEW_YORK), at("2026-03-07T12:00-05:00"), 2))
          .containsExactly(at("2026-03-08T03:00-04:00"), at("2026-03-09T02:15-04:00"));
    }

    @Test
    void manyInTheGapAreOne() {
      assertThat(slots(CronSchedule.parse("*/20 2 * * *", BERLIN), at("2026-03-29T00:00+01:00"), 2))
          .containsExactly(at("2026-03-29T03:00+02:00"), at("2026-03-30T02:00+02:00"));
    }

    @Test
    void everyHourGoesOnEveryHour() {
      assertThat(slots(CronSchedule.parse("@hourly", BERLIN), at("2026-03-29T00:30+01:00"), 3))
          .containsExactly(
              at("2026-03-29T01:00+01:00"),
              at("2026-03-29T03:00+02:00"),
              at("2026-03-29T04:00+02:00"));
    }

    @Test
    void theFirstMinuteAfterTheGapIsNoSlotUnlessSomethingFellIntoIt() {
      assertThat(slots(CronSchedule.parse("30 1,3 * * *", BERLIN), at("2026-03-29T00:00+01:00"), 2))
          .containsExactly(at("2026-03-29T01:30+01:00"), at("2026-03-29T03:30+02:00"));
    }
  }

  @Nested
  final class WhenClocksGoBack {
    @Test
    void slotInTheHourThatComesTwiceIsDueTheFirstTime() {
      assertThat(slots(CronSchedule.parse("30 2 * * *", BERLIN), at("2026-10-24T12:00+02:00"), 2))
          .containsExactly(at("2026-10-25T02:30+02:00"), at("2026-10-26T02:30+01:00"));
      assertThat(
              slots(CronSchedule.parse("0,30 1 * * *", NEW_YORK), at("2026-10-31T12:00-04:00"), 3))
          .containsExactly(
              at("2026-11-01T01:00-04:00"),
              at("2026-11-01T01:30-04:00"),
              at("2026-11-02T01:00-05:00"));
    }

    @Test
    void whoAsksInTheSecondHourIsToldOfTheFirst() {
      CronSchedule schedule = CronSchedule.parse("30 2 * * *", BERLIN);
      Instant second = at("2026-10-25T02:45+01:00");
      assertThat(schedule.previous(second)).isEqualTo(at("2026-10-25T02:30+02:00"));
      assertThat(schedule.next(at("2026-10-25T02:10+01:00")))
          .isEqualTo(at("2026-10-26T02:30+01:00"));
    }

    @Test
    void everyHourIsDueInBoth() {
      assertThat(slots(CronSchedule.parse("@hourly", NEW_YORK), at("2026-11-01T00:30-04:00"), 3))
          .containsExactly(
              at("2026-11-01T01:00-04:00"),
              at("2026-11-01T01:00-05:00"),
              at("2026-11-01T02:00-05:00"));
    }
  }

  @Nested
  final class EverySoOften {
    @Test
    void countsFromTheEpochForEveryone() {
      CronSchedule schedule = CronSchedule.every(Duration.ofSeconds(7));
      assertThat(slots(schedule, Instant.EPOCH.minusSeconds(8), 4))
          .containsExactly(
              Instant.ofEpochSecond(-7),
              Instant.EPOCH,
              Instant.ofEpochSecond(7),
              Instant.ofEpochSecond(14));
      assertThat(schedule.previous(Instant.ofEpochSecond(7).plusNanos(1)))
          .isEqualTo(Instant.ofEpochSecond(7));
      assertThat(schedule.next(Instant.ofEpochSecond(7).minusNanos(1)))
          .isEqualTo(Instant.ofEpochSecond(7));
    }

    @Test
    void tooShortIsRefused() {
      assertThatThrownBy(() -> CronSchedule.every(Duration.ofMillis(9)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("at least 10");
      assertThatThrownBy(() -> CronSchedule.every(Duration.ofNanos(10_000_001)))
          .isInstanceOf(InvalidInput.class);
    }
  }
}
