package dev.semel.job;

import dev.semel.job.spi.JobState;

/** Why a job becomes a dead letter, and so what putting it into the queue again does. */
public enum DeadLetterReason {
  /** It failed too often. Put into the queue again, it runs. */
  GAVE_UP,
  /** It failed for good. Whoever asks again within its retention is told so. */
  FINAL,
  /** Whether it took effect is unknown. Whoever asks again is told so. */
  IN_DOUBT;

  public JobState state() {
    return this == IN_DOUBT ? JobState.IN_DOUBT : JobState.FAILED;
  }

  /** Whether others with its key are refused; else they take its place. */
  public boolean keepsItsKey() {
    return this != GAVE_UP;
  }
}
