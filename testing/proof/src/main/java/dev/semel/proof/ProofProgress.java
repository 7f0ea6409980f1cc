package dev.semel.proof;

import java.time.Duration;

/** Hears where a run stands, some times a second. */
@FunctionalInterface
public interface ProofProgress {
  /** Nobody watches. */
  ProofProgress UNWATCHED = (phase, left, executions, faults) -> {};

  /**
   * A look at it.
   *
   * @param phase what it is at, in a few words
   * @param left of the time that workers ask; zero before and after
   */
  void at(String phase, Duration left, long executions, int faults);
}
