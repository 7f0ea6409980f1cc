package dev.semel.job;

/**
 * The counts of one instance of a {@link Cron} since it started.
 *
 * @param ran slots that ran here to their end
 * @param told slots that another instance had settled
 * @param skipped slots that this instance recorded as skipped
 * @param replaced slots that ran here until a later slot took their turn
 * @param failed slots that failed here
 * @param running slots that run here now
 */
public record CronCounts(
    long ran, long told, long skipped, long replaced, long failed, int running) {}
