package dev.semel.job;

import dev.semel.InvalidInput;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.FailurePolicy;
import java.time.Duration;

/**
 * Overlap, catch-up and policy of a {@link Cron}. Use the same settings in every process; otherwise
 * each one decides by its own.
 *
 * @param overlap what happens to a slot that is due while an earlier one still runs
 * @param maxWaiting how many slots may wait where they {@linkplain OverlapPolicy#QUEUE queue}; one
 *     more is skipped
 * @param catchUp how late a slot may still begin that passed while no process ran: only the newest
 *     one, if it is not older than this; zero: none
 * @param stopWithin how long {@code close} waits for a running slot; then it is interrupted
 * @param policy how each slot is executed. Its takeover decides about a slot whose process died;
 *     failures are always stored, and duplicates never wait
 */
public record CronSettings(
    OverlapPolicy overlap,
    int maxWaiting,
    Duration catchUp,
    Duration stopWithin,
    ExecutionPolicy policy) {
  public static final int MAX_WAITING = 1000;

  private static final CronSettings DEFAULTS =
      new CronSettings(
          OverlapPolicy.SKIP,
          10,
          Duration.ZERO,
          Duration.ofSeconds(30),
          ExecutionPolicy.defaults()
              .withMaxHold(Duration.ofHours(24))
              .withRetention(Duration.ofDays(7))
              .withOnFailure(FailurePolicy.STORE));

  public CronSettings {
    if (maxWaiting < 1 || maxWaiting > MAX_WAITING) {
      throw new InvalidInput(
          "1 to %d slots of a cron may wait (maxWaiting), not %d"
              .formatted(MAX_WAITING, maxWaiting));
    }
    if (catchUp.isNegative() || stopWithin.isNegative()) {
      throw new InvalidInput("catchUp and stopWithin can't be negative");
    }
    if (policy.retention().compareTo(catchUp) <= 0) {
      throw new InvalidInput(
          "slots are made up for %s (catchUp), but their records are kept for %s only (retention): one that ran could run again"
              .formatted(catchUp, policy.retention()));
    }
    policy = policy.withOnFailure(FailurePolicy.STORE).withWaitUpTo(Duration.ZERO);
  }

  public static CronSettings defaults() {
    return DEFAULTS;
  }

  public CronSettings withOverlap(OverlapPolicy value) {
    return new CronSettings(value, maxWaiting, catchUp, stopWithin, policy);
  }

  public CronSettings withMaxWaiting(int value) {
    return new CronSettings(overlap, value, catchUp, stopWithin, policy);
  }

  public CronSettings withCatchUp(Duration value) {
    return new CronSettings(overlap, maxWaiting, value, stopWithin, policy);
  }

  public CronSettings withStopWithin(Duration value) {
    return new CronSettings(overlap, maxWaiting, catchUp, value, policy);
  }

  public CronSettings withPolicy(ExecutionPolicy value) {
    return new CronSettings(overlap, maxWaiting, catchUp, stopWithin, value);
  }
}
