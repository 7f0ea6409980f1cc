package dev.semel.benchmarks.messages;

import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A subscription that measures how long its consumer waits for it. */
record TimedSubscription(Subscription subscription, Shares shares) implements Subscription {
  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    long started = System.nanoTime();
    try {
      return subscription.receive(limit, patience);
    } finally {
      shares.add("receiving", System.nanoTime() - started);
    }
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    shares.of(
        "acknowledging",
        () -> {
          subscription.acknowledge(deliveries);
          return true;
        });
  }

  @Override
  public Optional<ConsumerPositions> positions() {
    return subscription.positions();
  }

  @Override
  public void reposition() {
    subscription.reposition();
  }

  @Override
  public long lag() {
    return subscription.lag();
  }

  @Override
  public void close() {
    subscription.close();
  }
}
