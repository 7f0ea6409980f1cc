package dev.semel.transport.spi;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages for one consumer. Those with the same ordering key are handed out in order and to one
 * taker at a time: the next only after the one before it was acknowledged, or together with it if
 * {@link SubscribeSettings#runs} allows that. For one thread.
 */
public interface Subscription extends AutoCloseable {
  /**
   * Waits for something, but not longer than that.
   *
   * @return what is there, at most {@code limit}; empty: nothing came
   * @throws dev.semel.StoreException the broker can't be asked; whoever asks again reconnects
   */
  List<Delivery> receive(int limit, Duration patience) throws InterruptedException;

  /**
   * Acknowledges all of these, which came from here, without waiting for each one by itself.
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
   * Where the consumer's positions are kept, if that is its database: then each delivery has a
   * place, and whoever lets it take effect moves the position in the same transaction.
   */
  default Optional<ConsumerPositions> positions() {
    return Optional.empty();
  }

  /**
   * The consumer does not stand where this thought, as {@link PositionMoved} said: finds out where,
   * before it hands out more.
   */
  default void reposition() {}

  /** How many wait to be delivered, as far as the broker knows. */
  long lag();

  /** What was received and not acknowledged is delivered again, to anyone. */
  @Override
  void close();
}
