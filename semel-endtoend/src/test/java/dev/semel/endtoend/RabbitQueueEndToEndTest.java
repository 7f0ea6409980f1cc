package dev.semel.endtoend;

import dev.semel.rabbitmq.RabbitSettings;
import dev.semel.rabbitmq.RabbitTransport;
import dev.semel.testservices.PostgresService;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RabbitQueueEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) ->
          RabbitTransport.connect(
              RabbitSettings.of(address)
                  .withDestination(Shop.DESTINATION, Shop.CONSUMER)
                  .withDestination(Shop.DEAD, "graveyard")
                  .withPublishTimeout(Duration.ofSeconds(3)));

  @Test
  @Tag("proof")
  void everyOrderOfAFewTakesEffectOnce(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 200, 1, 2, 17);
  }

  @Override
  protected BrokerService startBroker() {
    return ShopRabbit.start(false);
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
