package dev.semel.job.spi;

import dev.semel.idempotency.Fingerprint;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import java.time.Duration;

/**
 * An existing job that an enqueue finds under its key. A job that {@linkplain
 * DeadLetterReason#keepsItsKey gave up}, or whose retention ended, does not exist here: the new one
 * replaces it.
 *
 * @param id the id of the request that added it
 * @param age since then, on the queue's clock
 */
public record ExistingJob(
    String id, Fingerprint fingerprint, JobState state, int attempts, Duration age) {

  /** A job that was just added. */
  public static ExistingJob of(Job job) {
    return new ExistingJob(job.id(), job.fingerprint(), JobState.PENDING, 0, Duration.ZERO);
  }

  /**
   * The whole decision table for an enqueue that found an existing job, the same for every engine.
   */
  public EnqueueResult decide(Job job) {
    EnqueueResult.Original original = new EnqueueResult.Original(id, state, attempts, age);
    if (!fingerprint.matches(job.fingerprint())) {
      return new EnqueueResult.Mismatch(original);
    }
    return id.equals(job.id())
        ? new EnqueueResult.Added() // a repeated call, answer lost
        : new EnqueueResult.Duplicate(original);
  }
}
