package dev.semel.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * When something is due: a row of moments, the same for everyone who reads the same text. Each of
 * them is a slot. Immutable.
 */
public sealed interface CronSchedule permits CronExpression, EverySchedule {
  /** Shortest time between two slots of {@link #every}. */
  Duration SHORTEST = Duration.ofMillis(10);

  /**
   * Five fields: minute, hour, day of month, month, day of week. Each is {@code *}, a value, a
   * range {@code 1-5}, a step {@code *}{@code /15} or {@code 8-18/2}, or a list of those; months
   * and days of the week may be named, {@code JAN} to {@code DEC} and {@code MON} to {@code SUN},
   * and both 0 and 7 are Sunday. Where both day fields are restricted (neither begins with {@code
   * *}), a day that suits either is due. Or one of {@code @hourly @daily @weekly @monthly @yearly}.
   *
   * <p>When clocks go forward, what falls into the hour that is left out is due once, at the first
   * moment after it. When they go back, what is due at certain hours is due once, the first time;
   * what is due in every hour is due in both, since both are hours.
   *
   * @throws dev.semel.InvalidInput a field can't be read, or no day is ever due
   */
  static CronSchedule parse(String expression, ZoneId zone) {
    return CronExpression.parse(expression, zone);
  }

  /**
   * Every so often, counted from 1970-01-01T00:00Z, so that everyone counts alike.
   *
   * @throws dev.semel.InvalidInput shorter than {@link #SHORTEST}, or not whole milliseconds
   */
  static CronSchedule every(Duration period) {
    return new EverySchedule(period);
  }

  /** The first slot after this moment. */
  Instant next(Instant after);

  /** The last slot before this moment. */
  Instant previous(Instant before);
}
