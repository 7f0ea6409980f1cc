package dev.semel.nats;

import dev.semel.internal.Ids;
import dev.semel.job.spi.JobQueue;
import dev.semel.tck.jobs.JobsUnderTest;
import dev.semel.testservices.NatsService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Jobs on a separate stream. */
final class JetStreamJobsUnderTest implements JobsUnderTest, AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);

  /** The server notices an end with a short delay. */
  private static final Duration SERVER_IS_LATE = Duration.ofMillis(150);

  private final JetStreamJobs jobs;

  JetStreamJobsUnderTest(NatsService nats) {
    this(nats, stream());
  }

  JetStreamJobsUnderTest(NatsService nats, StreamSettings stream) {
    this.jobs = JetStreamJobs.connect(JetStreamUnderTest.settings(nats, stream), LEASE);
  }

  static StreamSettings stream() {
    String name = "j" + Ids.uuid7();
    return JetStreamJobs.stream(name, name);
  }

  static NatsService start() {
    return NatsService.start("max_payload: 2097152");
  }

  @Override
  public JobQueue jobs() {
    return jobs;
  }

  @Override
  public void elapse(Duration d) {
    long end = System.nanoTime() + d.plus(SERVER_IS_LATE).toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Override
  public boolean remembers() {
    return false;
  }

  @Override
  public boolean remembersDeadLetters() {
    return true;
  }

  @Override
  public boolean fences() {
    return false;
  }

  @Override
  public void close() {
    jobs.close();
  }
}
