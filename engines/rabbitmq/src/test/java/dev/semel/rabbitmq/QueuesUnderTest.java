package dev.semel.rabbitmq;

import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.testservices.RabbitService;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.Optional;

/** A transport over queues. */
final class QueuesUnderTest implements TransportUnderTest, AutoCloseable {
  static final int MAX_BYTES = 256 << 10;
  static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(5);

  private final RabbitTransport transport;

  QueuesUnderTest(RabbitService rabbit) {
    this.transport = RabbitTransport.connect(settings(rabbit));
  }

  static RabbitSettings settings(RabbitService rabbit) {
    return RabbitSettings.of(rabbit.url())
        .withPartitions(2)
        .withMaxBytes(MAX_BYTES)
        .withPublishTimeout(PUBLISH_TIMEOUT);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Optional<String> unknownDestination() {
    return Optional.of("nobody.listens");
  }

  @Override
  public boolean dropsDuplicates() {
    return false;
  }

  @Override
  public int tooManyBytes() {
    return MAX_BYTES + 1;
  }

  @Override
  public Optional<Stoppable> stoppable() {
    RabbitService own = RabbitService.start();
    QueuesUnderTest on = new QueuesUnderTest(own);
    return Optional.of(new StoppableRabbit(own, on, on::close));
  }

  @Override
  public void close() {
    transport.close();
  }
}
