package dev.semel.endtoend;

import dev.semel.testservices.KafkaService;

final class KafkaTransactionsEndToEndTest extends EndToEnd {
  KafkaTransactionsEndToEndTest() {
    super(ShopBroker.KAFKA_TRANSACTIONS);
  }

  @Override
  protected BrokerService startBroker() {
    KafkaService kafka = KafkaService.start();
    return BrokerService.of(kafka.url(), kafka::restart, kafka::close);
  }
}
