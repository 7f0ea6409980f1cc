package dev.semel.redis;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
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
final class RedisStreamsContractTest extends TransportContract {
  private final RedisStreamsUnderTest underTest;

  RedisStreamsContractTest(RedisStreamsUnderTest underTest) {
    this.underTest = underTest;
  }

  static Stream<Arguments> servers(RedisService one, RedisClusterService cluster) {
    return RedisServers.each(one, cluster, RedisStreamsUnderTest::new);
  }

  @Override
  protected TransportUnderTest underTest() {
    return underTest;
  }
}
