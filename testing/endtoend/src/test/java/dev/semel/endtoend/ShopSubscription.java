package dev.semel.endtoend;

import dev.semel.StoreException;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A subscription that loses an acknowledgement when told to, and knows when nothing is left. */
final class ShopSubscription implements Subscription {
  private final Subscription inner;
  private volatile boolean losing;
  private volatile boolean lost;
  private final AtomicLong idle = new AtomicLong();

  ShopSubscription(Subscription inner) {
    this.inner = inner;
  }

  /** The next acknowledgement never reaches the broker, which delivers again. */
  void loseAcknowledgement() {
    losing = true;
  }

  /** Whether it did; at once where positions are kept in the database, and need none. */
  boolean hasLost() {
    return lost || positions().isPresent();
  }

  /** How often nothing came and the broker had nothing either. */
  long idle() {
    return idle.get();
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    return inner.receive(limit, patience);
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    // The position in the database has moved already where there is one.
    if (!losing || deliveries.isEmpty() || positions().isPresent()) {
      inner.acknowledge(deliveries);
      return;
    }
    losing = false;
    deliveries.forEach(each -> each.retry(Duration.ofMillis(1)));
    lost = true;
    throw new StoreException("the acknowledgement was lost");
  }

  @Override
  public Optional<ConsumerPositions> positions() {
    return inner.positions();
  }

  @Override
  public void reposition() {
    inner.reposition();
  }

  /** A consumer asks when it has received nothing. */
  @Override
  public long lag() {
    long lag = inner.lag();
    if (lag == 0) {
      idle.incrementAndGet();
    }
    return lag;
  }

  @Override
  public void close() {
    inner.close();
  }
}
