package dev.semel.tck;

import dev.semel.job.MemoryJobs;
import dev.semel.job.spi.JobQueue;
import dev.semel.tck.jobs.JobOperationsContract;
import dev.semel.tck.jobs.JobsUnderTest;
import java.time.Duration;

final class MemoryJobsTest extends JobOperationsContract {
  private final InMemory jobs = new InMemory();

  @Override
  protected JobsUnderTest underTest() {
    return jobs;
  }

  /** JUnit makes a new one for each test. */
  private static final class InMemory implements JobsUnderTest {
    private final ManualClock clock = new ManualClock();
    private final JobQueue queues = new MemoryJobs(clock);

    @Override
    public JobQueue jobs() {
      return queues;
    }

    @Override
    public void elapse(Duration d) {
      clock.advance(d);
    }
  }
}
