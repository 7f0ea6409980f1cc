package dev.semel.job;

import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;

/** The application's work for a job. Many threads may call it at once. */
@FunctionalInterface
public interface JobHandler {
  /**
   * Does the work. An exception is a failure: the job is tried again, unless the policy calls it
   * final. {@link EffectUnknown} leaves the job in doubt.
   *
   * @param execution its attempt, whether an earlier one may have taken effect, and the effect key
   *     to pass to systems that deduplicate
   */
  void handle(Job job, Execution execution) throws Exception;
}
