package dev.semel.endtoend;

import dev.semel.testservices.RabbitService;

final class RabbitStreamEndToEndTest extends EndToEnd {
  RabbitStreamEndToEndTest() {
    super(ShopBroker.RABBIT_STREAMS);
  }

  @Override
  protected BrokerService startBroker() {
    RabbitService rabbit = RabbitService.start();
    return BrokerService.of(address(rabbit), rabbit::restart, rabbit::close);
  }

  static String address(RabbitService rabbit) {
    return "rabbitmq-stream://guest:guest@127.0.0.1:" + rabbit.streamPort();
  }
}
