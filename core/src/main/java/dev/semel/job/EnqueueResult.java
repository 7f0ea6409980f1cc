package dev.semel.job;

import dev.semel.job.spi.JobState;
import java.time.Duration;

/** What came of putting a job into a queue, decided in the same step. */
public sealed interface EnqueueResult {
  /** It is there, and was not before; or it had failed too often, and may run again. */
  record Added() implements EnqueueResult {}

  /** It was there already, or is over; nothing was changed. */
  record Duplicate(Original original) implements EnqueueResult {}

  /** The key belongs to another job: its fingerprint differs. Nothing was changed. */
  record Mismatch(Original original) implements EnqueueResult {}

  /**
   * The job that has the key.
   *
   * @param id of the request that put it there
   * @param age since then
   */
  record Original(String id, JobState state, int attempts, Duration age) {}
}
