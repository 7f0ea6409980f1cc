package dev.semel.transport.spi;

import dev.semel.StoreException;
import dev.semel.transport.SubscribeSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages for one consumer. Messages with the same ordering key are handed out in order and to
 * one taker at a time: the next only after the one before it was acknowledged, or together with it
 * if {@link SubscribeSettings#runs} allows that. For one thread.
 */
public interface Subscription extends AutoCloseable {
  /**
   * Waits for messages, but not longer than {@code patience}.
   *
   * @return at most {@code limit} messages; empty: none came
   * @throws dev.semel.StoreException the broker does not answer; the next call reconnects
   */
  List<Delivery> receive(int limit, Duration patience) throws InterruptedException;

  /**
   * Acknowledges all of these, which came from here, without waiting for each one separately.
   *
   * @throws StoreException at least one was not confirmed, and may be delivered again; all were
   *     tried
   */
  default void acknowledge(List<Delivery> deliveries) {
    @Nullable StoreException first = null;
    for (Delivery delivery : deliveries) {
      try {
        delivery.acknowledge();
      } catch (StoreException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /**
   * The consumer's positions, if its database keeps them: then each delivery has a place, and the
   * transaction of its effects must also move the position.
   */
  default Optional<ConsumerPositions> positions() {
    return Optional.empty();
  }

  /**
   * The consumer's position is not where it was expected, as {@link PositionMoved} said: reads it
   * again before handing out more.
   */
  default void reposition() {}

  /** How many messages wait to be delivered, as far as the broker knows. */
  long lag();

  /** Closes the subscription; unacknowledged messages are delivered again, to any subscription. */
  @Override
  void close();
}
