package dev.semel.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The times at which a {@link Cron} runs: a series of slots that is the same for every process that
 * parses the same text. Immutable.
 */
public sealed interface CronSchedule permits CronExpression, EverySchedule {
  /** Shortest time between two slots of {@link #every}. */
  Duration SHORTEST = Duration.ofMillis(10);

  /**
   * Five fields: minute, hour, day of month, month, day of week. Each is {@code *}, a value, a
   * range {@code 1-5}, a step {@code *}{@code /15} or {@code 8-18/2}, or a list of those; months
   * and days of the week may be named, {@code JAN} to {@code DEC} and {@code MON} to {@code SUN},
   * and both 0 and 7 are Sunday. Where both day fields are restricted (neither begins with {@code
   * *}), a day that matches either is due.
   *
   * <p>Or one of {@code @hourly @daily @weekly @monthly @yearly}.
   *
   * <p>When clocks go forward, slots in the skipped hour are due once, at the first moment after
   * it. When clocks go back, a slot at certain hours is due once, the first time; a schedule for
   * every hour is due in both hours.
   *
   * @throws dev.semel.InvalidInput a field can't be read, or no day is ever due
   */
  static CronSchedule parse(String expression, ZoneId zone) {
    return CronExpression.parse(expression, zone);
  }

  /**
   * Slots at a fixed period, counted from 1970-01-01T00:00Z, so that all processes count alike.
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
