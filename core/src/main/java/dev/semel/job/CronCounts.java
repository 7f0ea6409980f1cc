package dev.semel.job;

/**
 * What became of the slots that this instance of a cron looked after, since it started.
 *
 * @param ran here, to their end
 * @param told that another instance had settled it
 * @param skipped recorded as such by this instance
 * @param replaced they ran here, until a later slot took their turn
 * @param failed here
 * @param running here, now
 */
public record CronCounts(
    long ran, long told, long skipped, long replaced, long failed, int running) {}
