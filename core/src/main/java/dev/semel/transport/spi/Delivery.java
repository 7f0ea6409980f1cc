package dev.semel.transport.spi;

import dev.semel.StoreException;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.Optional;

/** A message in the hands of its consumer, who must say in time what became of it. */
public interface Delivery {
  Message message();

  /** Where it is, if where the consumer stands is kept in its database; else empty. */
  default Optional<LogPosition> place() {
    return Optional.empty();
  }

  /** How often it was delivered, this one included. */
  long attempt();

  /**
   * It is done with. Waits until the broker knows: after an acknowledgement that only left here the
   * message might come again.
   *
   * @throws StoreException the broker did not confirm: it may deliver the message again
   */
  void acknowledge();

  /** It is to be delivered again, not before the pause is over. */
  void retry(Duration pause);

  /** Whoever has it is still at it and needs more time. */
  void extend();
}
