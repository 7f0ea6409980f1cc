package dev.semel.tck.jobs;

import dev.semel.job.spi.JobQueue;
import dev.semel.tck.StoreUnderTest;
import java.time.Duration;

/**
 * Queues and a hand on their clock. They may be shared by all tests of a class: each draws a queue
 * of its own.
 */
public interface JobsUnderTest {
  JobQueue jobs();

  /** As in {@link StoreUnderTest#elapse}. */
  void elapse(Duration d);

  /**
   * Whether a job that is over is remembered for its retention, and so are its attempts and its
   * failures while it waits; false where the engine only has what is still to be done.
   */
  default boolean remembers() {
    return true;
  }

  /**
   * Whether a dead letter that failed for good or is in doubt keeps its key; where what was done is
   * forgotten, dead letters may be known all the same.
   */
  default boolean remembersDeadLetters() {
    return remembers();
  }

  /**
   * Whether a worker whose lease ended is refused; false where the engine believes whoever says
   * that a job is done. Its execution was fenced all the same.
   */
  default boolean fences() {
    return true;
  }

  /** How often each race is run. */
  default int raceRounds() {
    return 10;
  }
}
