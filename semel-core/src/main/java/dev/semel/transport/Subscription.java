package dev.semel.transport;

import java.time.Duration;
import java.util.List;

/**
 * Messages for one consumer. Those with the same ordering key are handed out in order and to one
 * taker at a time: the next only after the one before it was acknowledged. For one thread.
 */
public interface Subscription extends AutoCloseable {
  /**
   * Waits for something, but not longer than that.
   *
   * @return what is there, at most {@code limit}; empty: nothing came
   * @throws dev.semel.StoreException the broker can't be asked; whoever asks again reconnects
   */
  List<Delivery> receive(int limit, Duration patience) throws InterruptedException;

  /** How many wait to be delivered, as far as the broker knows. */
  long lag();

  /** What was received and not acknowledged is delivered again, to anyone. */
  @Override
  void close();
}
