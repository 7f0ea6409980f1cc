package dev.semel.kafka;

import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A subscription: one member of a consumer group. */
final class KafkaSubscription implements Subscription {
  private static final Duration ASSIGN_LIMIT = Duration.ofSeconds(10);

  private final GroupReader reader;
  private final PollBuffer buffer;
  private final ConsumerLag lag;

  KafkaSubscription(GroupReader reader, ConsumerLag lag) {
    this.reader = reader;
    this.buffer = reader.buffer();
    this.lag = lag;
    buffer.awaitAssigned(ASSIGN_LIMIT);
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    return buffer.take(limit, patience);
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    reader.acknowledge(deliveries);
  }

  @Override
  public Optional<ConsumerPositions> positions() {
    return Optional.ofNullable(reader.origin().positions());
  }

  @Override
  public void reposition() {
    buffer.reposition();
    reader.wake();
  }

  @Override
  public long lag() {
    return lag.of(buffer.standing());
  }

  @Override
  public void close() {
    reader.close();
  }
}
