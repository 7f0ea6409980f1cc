package dev.semel.inbox;

import dev.semel.event.SemelListener;
import dev.semel.transport.Message;

/** Hears what a consumer does, on its thread. */
public interface ConsumerListener {
  ConsumerListener NONE = new ConsumerListener() {};

  /**
   * Tells of it as events, such as to {@code Idempotency.listener()}.
   *
   * @param consumer the name to tell
   */
  static ConsumerListener to(String consumer, SemelListener listener) {
    return new ConsumerEvents(consumer, listener);
  }

  /** What became of a message; it was acknowledged, or will come again. */
  default void handled(Message message, HandleResult how) {}

  /** It is a dead letter now; {@link #handled} was told before. */
  default void buried(Message message, String reason) {}

  /** The broker or the database can't be reached; the consumer tries again. */
  default void troubled(Exception reason) {}
}
