package dev.semel.job.spi;

import dev.semel.idempotency.Fingerprint;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import java.time.Duration;

/**
 * A job as another one under its key meets it. One that {@linkplain DeadLetterReason#keepsItsKey
 * gave up}, or whose retention ended, does not exist here: the other one takes its place.
 *
 * @param id of the request that put it there
 * @param age since then, on the queue's clock
 */
public record ExistingJob(
    String id, Fingerprint fingerprint, JobState state, int attempts, Duration age) {

  /** One that was put there a moment ago. */
  public static ExistingJob of(Job job) {
    return new ExistingJob(job.id(), job.fingerprint(), JobState.PENDING, 0, Duration.ZERO);
  }

  /** The whole decision table of an enqueue that found one, the same for every engine. */
  public EnqueueResult decide(Job job) {
    EnqueueResult.Original original = new EnqueueResult.Original(id, state, attempts, age);
    if (!fingerprint.matches(job.fingerprint())) {
      return new EnqueueResult.Mismatch(original);
    }
    return id.equals(job.id())
        ? new EnqueueResult.Added() // its own, answer lost
        : new EnqueueResult.Duplicate(original);
  }
}
