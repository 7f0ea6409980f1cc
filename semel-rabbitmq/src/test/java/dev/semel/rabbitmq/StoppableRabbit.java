package dev.semel.rabbitmq;

import dev.semel.tck.TransportUnderTest;
import dev.semel.testservices.RabbitService;
import java.time.Duration;

/** A broker of its own that is killed and comes back. */
record StoppableRabbit(RabbitService rabbit, TransportUnderTest underTest, Runnable closing)
    implements TransportUnderTest.Stoppable {
  @Override
  public void stop() {
    rabbit.kill();
  }

  @Override
  public void start() {
    rabbit.restart();
  }

  @Override
  public Duration publishLimit() {
    return QueuesUnderTest.PUBLISH_TIMEOUT;
  }

  @Override
  public void close() {
    closing.run();
    rabbit.close();
  }
}
