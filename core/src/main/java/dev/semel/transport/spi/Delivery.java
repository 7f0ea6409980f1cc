package dev.semel.transport.spi;

import dev.semel.StoreException;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.Optional;

/** A delivered message, which its consumer must acknowledge, retry or extend in time. */
public interface Delivery {
  Message message();

  /** The message's position, if the consumer keeps its positions in its database; else empty. */
  default Optional<LogPosition> place() {
    return Optional.empty();
  }

  /** How often it was delivered, this one included. */
  long attempt();

  /**
   * Acknowledges the message. Waits until the broker confirms: otherwise the message might be
   * delivered again.
   *
   * @throws StoreException the broker did not confirm: it may deliver the message again
   */
  void acknowledge();

  /** Has the message delivered again, not before the pause is over. */
  void retry(Duration pause);

  /** Extends the deadline: the consumer is still working on the message. */
  void extend();
}
