package dev.semel.idempotency;

import static dev.semel.idempotency.KeyStrategiesTest.id;
import static dev.semel.idempotency.KeyStrategiesTest.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids by the calendar: {@link KeyStrategies#dateBased}. */
@Isolated("the locale")
class SchedulePeriodTest {
  private static KeyStrategy<String> at(String instant, SchedulePeriod period, String zone) {
    return KeyStrategies.dateBased(
        Function.identity(), period, ZoneId.of(zone), InstantSource.fixed(Instant.parse(instant)));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-15T12:34:56Z, DAY, UTC, daily-report@2026-11-15",
    "2026-11-15T23:30:00Z, DAY, Europe/Berlin, daily-report@2026-11-16",
    "2026-11-15T12:34:56Z, MONTH, UTC, daily-report@2026-11",
    "2026-11-15T12:34:56Z, WEEK, UTC, daily-report@2026-W46",
    "2026-11-16T00:00:00Z, WEEK, UTC, daily-report@2026-W47",
    "2027-01-01T00:00:00Z, WEEK, UTC, daily-report@2026-W53",
    "2024-12-30T00:00:00Z, WEEK, UTC, daily-report@2025-W01",
    "2026-11-15T12:34:56Z, HOUR, UTC, daily-report@2026-11-15T12Z",
    "2026-11-15T12:34:56Z, HOUR, Europe/Berlin, daily-report@2026-11-15T13+01:00",
    "2026-11-15T20:00:00Z, HOUR, Asia/Kolkata, daily-report@2026-11-16T01+05:30"
  })
  void namesThePeriod(String instant, SchedulePeriod period, String zone, String expected) {
    assertThat(id(at(instant, period, zone), "daily-report")).isEqualTo(expected);
  }

  @Test
  void theHourThatComesTwiceWhenSummerTimeEndsIsTwoHours() {
    assertThat(id(at("2026-10-25T00:30:00Z", SchedulePeriod.HOUR, "Europe/Berlin"), "job"))
        .isEqualTo("job@2026-10-25T02+02:00")
        .isNotEqualTo(id(at("2026-10-25T01:30:00Z", SchedulePeriod.HOUR, "Europe/Berlin"), "job"));
  }

  @Test
  void thePeriodOutlivesShortening() {
    assertThat(id(at("2026-11-15T00:00:00Z", SchedulePeriod.DAY, "UTC"), "r".repeat(300)))
        .matches("r+~[0-9a-f]{32}@2026-11-15");
  }

  @Test
  void otherShapesAreRefused() {
    String now = "2026-11-15T00:00:00Z";
    refuses(
        at(now, SchedulePeriod.DAY, "UTC"),
        "report@2026-11-15",
        "x",
        "x@2026-11",
        "x@2026-13-01",
        "@2026-11-15",
        "x@2026-W46");
    refuses(at(now, SchedulePeriod.WEEK, "UTC"), "report@2026-W46", "x@2026-W54", "x@2026-W00");
    refuses(at(now, SchedulePeriod.MONTH, "UTC"), "report@2026-11", "x@2026-00", "x@2026-11-15");
    refuses(
        at(now, SchedulePeriod.HOUR, "UTC"),
        "report@2026-11-15T13+01:00",
        "x@2026-11-15T24Z",
        "x@2026-11-15");
  }

  @Test
  void neitherLanguageNorTimeZoneOfTheMachineCount() {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("th-TH-u-ca-buddhist-nu-thai"));
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
      for (SchedulePeriod period : SchedulePeriod.values()) {
        assertThat(
                id(
                    KeyStrategies.dateBased(
                        (String name) -> name,
                        period,
                        ZoneOffset.UTC,
                        InstantSource.fixed(Instant.parse("2026-11-15T13:00:00Z"))),
                    "r"))
            .isEqualTo(
                switch (period) {
                  case HOUR -> "r@2026-11-15T13Z";
                  case DAY -> "r@2026-11-15";
                  case WEEK -> "r@2026-W46";
                  case MONTH -> "r@2026-11";
                });
      }
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }
}
