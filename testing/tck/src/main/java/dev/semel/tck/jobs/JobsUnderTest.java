package dev.semel.tck.jobs;

import dev.semel.job.spi.JobQueue;
import dev.semel.tck.StoreUnderTest;
import java.time.Duration;

/**
 * A job queue under test, and control of its clock. All tests of a class may share it, because each
 * uses a different queue.
 */
public interface JobsUnderTest {
  JobQueue jobs();

  /** Lets time pass, as {@link StoreUnderTest#elapse}. */
  void elapse(Duration d);

  /**
   * Whether the engine remembers a finished job for its retention, and a waiting job's attempts and
   * failures; false where the engine stores only unfinished jobs.
   */
  default boolean remembers() {
    return true;
  }

  /**
   * Whether a dead letter that failed for good or is in doubt keeps its key; an engine that forgets
   * completed jobs may still remember dead letters.
   */
  default boolean remembersDeadLetters() {
    return remembers();
  }

  /**
   * Whether a worker whose lease ended is refused; false where the engine accepts any
   * acknowledgement. The job's execution is fenced in either case.
   */
  default boolean fences() {
    return true;
  }

  /** How often each race runs. */
  default int raceRounds() {
    return 10;
  }
}
