package dev.semel.job;

import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import java.time.Instant;

/** The application's work at each slot of a {@link Cron}. */
@FunctionalInterface
public interface CronWork {
  /**
   * Does the work. An exception ends this slot: it is recorded and not tried again. For retries,
   * enqueue a job instead. {@link EffectUnknown} leaves the slot in doubt.
   *
   * @param slot when the slot was due, which may be some time ago
   * @param execution its {@link Execution#held} turns false, and its thread is interrupted, when
   *     another slot takes the turn
   */
  void run(Instant slot, Execution execution) throws Exception;
}
