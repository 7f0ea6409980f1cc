package dev.semel.job;

import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;

/** What is done for a job. Called by many threads at once. */
@FunctionalInterface
public interface JobHandler {
  /**
   * Does it. Whatever is thrown is a failure: the job is tried again, unless the policy calls it
   * final. {@link EffectUnknown} leaves the job in doubt.
   *
   * @param execution its attempt, whether an earlier one may have taken effect, and the effect key
   *     to pass on to systems that deduplicate
   */
  void handle(Job job, Execution execution) throws Exception;
}
