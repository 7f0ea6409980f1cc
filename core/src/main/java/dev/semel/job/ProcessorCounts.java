package dev.semel.job;

/**
 * The counts of an {@link ExactlyOnceProcessor} since it started.
 *
 * @param executed handlers that ran to their end
 * @param duplicates jobs whose key had been done before, which did nothing
 * @param retried failures after which a job is tried again
 * @param givenBack jobs that were given back, because their key was in flight or the store away
 * @param failed dead letters that failed for good or too often
 * @param inDoubt dead letters that may or may not have taken effect
 * @param running jobs that run now
 * @param resting whether the queue rests, because too many jobs failed in a row
 */
public record ProcessorCounts(
    long executed,
    long duplicates,
    long retried,
    long givenBack,
    long failed,
    long inDoubt,
    int running,
    boolean resting) {
  ProcessorCounts withRunning(int value) {
    return new ProcessorCounts(
        executed, duplicates, retried, givenBack, failed, inDoubt, value, resting);
  }

  ProcessorCounts withResting(boolean value) {
    return new ProcessorCounts(
        executed, duplicates, retried, givenBack, failed, inDoubt, running, value);
  }
}
