package dev.semel.endtoend;

import dev.semel.testservices.KafkaService;
import dev.semel.testservices.PostgresService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class KafkaEndToEndTest extends EndToEnd {
  KafkaEndToEndTest() {
    super(ShopBroker.KAFKA);
  }

  @Test
  @Tag("proof")
  void everyOrderTakesEffectOnce(PostgresService postgres) {
    runSome(postgres);
  }

  @Override
  protected BrokerService startBroker() {
    KafkaService kafka = KafkaService.start();
    return BrokerService.of(kafka.url(), kafka::restart, kafka::close);
  }
}
