package dev.semel.job;

import dev.semel.job.spi.JobState;

/** Why a job became a dead letter; it decides what enqueueing the job again does. */
public enum DeadLetterReason {
  /** The job failed too often. Enqueued again, it runs. */
  GAVE_UP,
  /** The job failed for good. Within its retention, duplicates get that answer. */
  FINAL,
  /** Nobody can know whether the job took effect. Duplicates get that answer. */
  IN_DOUBT;

  public JobState state() {
    return this == IN_DOUBT ? JobState.IN_DOUBT : JobState.FAILED;
  }

  /** Whether another job with the same key is refused; else it replaces the dead letter. */
  public boolean keepsItsKey() {
    return this != GAVE_UP;
  }
}
