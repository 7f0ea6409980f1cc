package dev.semel.endtoend;

import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RedisStreamsEndToEndTest extends EndToEnd {
  RedisStreamsEndToEndTest() {
    super(ShopBroker.REDIS_STREAMS);
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnce(PostgresService postgres) {
    runSome(postgres);
  }

  @Override
  protected BrokerService startBroker() {
    RedisService redis = RedisService.start("--appendfsync", "always");
    return BrokerService.of(redis.url(), redis::restart, redis::close);
  }
}
