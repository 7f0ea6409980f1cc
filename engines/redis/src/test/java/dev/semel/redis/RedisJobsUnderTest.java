package dev.semel.redis;

import dev.semel.job.spi.JobQueue;
import dev.semel.tck.jobs.JobsUnderTest;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Jobs on a real Redis or a real cluster. */
final class RedisJobsUnderTest implements JobsUnderTest, AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  private final RedisStore store;
  private final RedisJobs jobs;

  RedisJobsUnderTest(String url) {
    this.store = RedisStore.open(url);
    this.jobs = RedisJobs.on(store);
  }

  static RedisJobsUnderTest on(RedisService redis) {
    return new RedisJobsUnderTest(redis.url());
  }

  static RedisJobsUnderTest on(RedisClusterService redis) {
    return new RedisJobsUnderTest(redis.url());
  }

  RedisStore store() {
    return store;
  }

  @Override
  public JobQueue jobs() {
    return jobs;
  }

  /** All nodes are on this machine; a key lives until the end of its last millisecond. */
  @Override
  public void elapse(Duration d) {
    long end = store.now().toEpochMilli() + d.toMillis() + 1;
    while (store.now().toEpochMilli() < end) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  @Override
  public void close() {
    jobs.close();
    store.close();
  }
}
