package dev.semel.rabbitmq;

import dev.semel.junit.Patience;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RabbitService;
import java.time.Duration;

/** A separate broker that is killed and comes back. */
record StoppableRabbit(RabbitService rabbit, TransportUnderTest underTest, Runnable closing)
    implements TransportUnderTest.Stoppable {
  /**
   * RabbitMQ 3.10 saves its list of quorum queues twice a second: a queue declared right before a
   * kill may get lost.
   */
  static final Duration QUEUES_WRITTEN = Duration.ofSeconds(2);

  @Override
  public void stop() {
    Patience.pass(QUEUES_WRITTEN);
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
