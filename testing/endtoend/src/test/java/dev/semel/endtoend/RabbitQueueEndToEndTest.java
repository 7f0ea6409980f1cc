package dev.semel.endtoend;

import dev.semel.testservices.RabbitService;

final class RabbitQueueEndToEndTest extends EndToEnd {
  RabbitQueueEndToEndTest() {
    super(ShopBroker.RABBIT_QUEUES);
  }

  @Override
  protected BrokerService startBroker() {
    RabbitService rabbit = RabbitService.start();
    return BrokerService.of(rabbit.url(), rabbit::restart, rabbit::close);
  }
}
