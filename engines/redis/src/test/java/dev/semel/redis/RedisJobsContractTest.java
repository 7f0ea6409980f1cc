package dev.semel.redis;

import dev.semel.tck.jobs.JobOperationsContract;
import dev.semel.tck.jobs.JobsUnderTest;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class RedisJobsContractTest extends JobOperationsContract {
  @SuppressWarnings("NullAway.Init")
  private static RedisJobsUnderTest underTest;

  @BeforeAll
  static void start(RedisService redis) {
    underTest = RedisJobsUnderTest.on(redis);
  }

  @AfterAll
  static void stop() {
    underTest.close();
  }

  @Override
  protected JobsUnderTest underTest() {
    return underTest;
  }
}
