package dev.semel.endtoend;

import dev.semel.rabbitmq.RabbitStreamSettings;
import dev.semel.rabbitmq.RabbitStreamTransport;
import dev.semel.testservices.PostgresService;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RabbitStreamEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) ->
          RabbitStreamTransport.connect(
              RabbitStreamSettings.of(address)
                  .withDestination(Shop.DESTINATION)
                  .withDestination(Shop.DEAD)
                  .withPublishTimeout(Duration.ofSeconds(3)));

  @Test
  @Tag("proof")
  void everyOrderOfAFewTakesEffectOnce(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 200, 1, 2, 17);
  }

  @Override
  protected BrokerService startBroker() {
    return ShopRabbit.start(true);
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
