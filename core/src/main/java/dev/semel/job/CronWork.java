package dev.semel.job;

import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import java.time.Instant;

/** What is done at each slot of a cron. */
@FunctionalInterface
public interface CronWork {
  /**
   * Does it. Whatever is thrown is this slot's end, recorded and not tried again: what needs
   * retries puts a job into a queue. {@link EffectUnknown} leaves the slot in doubt.
   *
   * @param slot the moment that it was due, which may be over for a while
   * @param execution whose {@link Execution#held} turns false, and whose thread is interrupted,
   *     when another slot took its turn
   */
  void run(Instant slot, Execution execution) throws Exception;
}
