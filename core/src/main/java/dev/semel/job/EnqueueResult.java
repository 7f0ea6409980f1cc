package dev.semel.job;

import dev.semel.job.spi.JobState;
import java.time.Duration;

/** The result of adding a job to a queue, decided in the same step. */
public sealed interface EnqueueResult {
  /** The job was added. If an earlier one had failed too often, this one replaces it. */
  record Added() implements EnqueueResult {}

  /** The job was there already, or is done; nothing was changed. */
  record Duplicate(Original original) implements EnqueueResult {}

  /** The key belongs to another job: its fingerprint differs. Nothing was changed. */
  record Mismatch(Original original) implements EnqueueResult {}

  /**
   * The job that has the key.
   *
   * @param id the id of the request that added it
   * @param age since then
   */
  record Original(String id, JobState state, int attempts, Duration age) {}
}
