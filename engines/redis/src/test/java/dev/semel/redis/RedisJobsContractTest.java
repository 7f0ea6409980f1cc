package dev.semel.redis;

import dev.semel.tck.jobs.JobOperationsContract;
import dev.semel.tck.jobs.JobsUnderTest;
import dev.semel.testservices.BesideOthers;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{argumentSetName}")
@MethodSource("servers")
@BesideOthers
@Tag("service")
@ExtendWith(SharedServices.class)
final class RedisJobsContractTest extends JobOperationsContract {
  private final RedisJobsUnderTest underTest;

  RedisJobsContractTest(RedisJobsUnderTest underTest) {
    this.underTest = underTest;
  }

  static Stream<Arguments> servers(RedisService one, RedisClusterService cluster) {
    return RedisServers.each(one, cluster, RedisJobsUnderTest::new);
  }

  @Override
  protected JobsUnderTest underTest() {
    return underTest;
  }
}
