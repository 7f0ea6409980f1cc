package dev.semel.redis;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class RedisStreamsContractTest extends TransportContract {
  @SuppressWarnings("NullAway.Init")
  private static RedisStreamsUnderTest underTest;

  @BeforeAll
  static void start(RedisService redis) {
    underTest = new RedisStreamsUnderTest(redis.url());
  }

  @AfterAll
  static void stop() {
    underTest.close();
  }

  @Override
  protected TransportUnderTest underTest() {
    return underTest;
  }
}
