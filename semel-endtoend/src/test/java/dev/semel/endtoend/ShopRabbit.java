package dev.semel.endtoend;

import dev.semel.testservices.RabbitService;

/** RabbitMQ as the shop's broker. */
record ShopRabbit(RabbitService rabbit, String address) implements BrokerService {
  static ShopRabbit start(boolean streams) {
    RabbitService rabbit = RabbitService.start();
    return new ShopRabbit(
        rabbit,
        streams ? "rabbitmq-stream://guest:guest@127.0.0.1:" + rabbit.streamPort() : rabbit.url());
  }

  @Override
  public void crash() {
    rabbit.kill();
    rabbit.restart();
  }

  @Override
  public void close() {
    rabbit.close();
  }
}
