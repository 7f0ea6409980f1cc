package dev.semel.endtoend;

import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RedisStreamsEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) -> RedisStreamsTransport.connect(RedisStreamsSettings.of(address));

  @Test
  @Tag("proof")
  void everyOrderOfAFewTakesEffectOnce(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 200, 1, 3, 17);
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnce(PostgresService postgres) {
    runFew(postgres);
  }

  @Override
  protected BrokerService startBroker() {
    RedisService redis = RedisService.start("--appendfsync", "always");
    return new BrokerService() {
      @Override
      public String address() {
        return redis.url();
      }

      @Override
      public void crash() {
        redis.restart();
      }

      @Override
      public void close() {
        redis.close();
      }
    };
  }

  @Override
  protected ShopBroker broker() {
    return BROKER;
  }

  @Override
  protected Class<?> process() {
    return Child.class;
  }

  /** A relay or a consumer. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      ShopProcess.run(BROKER, arguments);
    }
  }
}
