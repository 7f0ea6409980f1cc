package dev.semel.job.spi;

/** Where a job is. */
public enum JobState {
  /** It waits for a worker, or for its time. */
  PENDING,
  /** A worker has it. */
  PROCESSING,
  /** It took effect; its record is kept for its retention. */
  COMPLETED,
  /** A dead letter: it failed for good, or too often. */
  FAILED,
  /** A dead letter: whether it took effect is unknown, and someone has to find out. */
  IN_DOUBT;

  /** Whether it waits for a person. */
  public boolean isDead() {
    return this == FAILED || this == IN_DOUBT;
  }
}
