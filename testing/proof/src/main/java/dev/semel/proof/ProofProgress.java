package dev.semel.proof;

import java.time.Duration;

/** Receives a run's progress, several times a second. */
@FunctionalInterface
public interface ProofProgress {
  /** Ignores the progress. */
  ProofProgress UNWATCHED = (phase, left, executions, faults) -> {};

  /**
   * Reports the current state.
   *
   * @param phase the current phase, in a few words
   * @param left the rest of the workers' time; zero before and after
   */
  void at(String phase, Duration left, long executions, int faults);
}
