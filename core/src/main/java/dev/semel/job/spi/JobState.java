package dev.semel.job.spi;

/** The state of a job. */
public enum JobState {
  /** The job waits for a worker, or for its time. */
  PENDING,
  /** A worker has it. */
  PROCESSING,
  /** The job took effect; its record is kept for its retention. */
  COMPLETED,
  /** A dead letter: the job failed for good, or too often. */
  FAILED,
  /** A dead letter: whether the job took effect is unknown, and an operator has to find out. */
  IN_DOUBT;

  /** Whether the job waits for an operator. */
  public boolean isDead() {
    return this == FAILED || this == IN_DOUBT;
  }
}
