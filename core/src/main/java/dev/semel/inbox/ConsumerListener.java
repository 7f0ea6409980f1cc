package dev.semel.inbox;

import dev.semel.event.SemelListener;
import dev.semel.transport.Message;

/** Receives what a {@link MessageConsumer} does, on its thread. */
public interface ConsumerListener {
  ConsumerListener NONE = new ConsumerListener() {};

  /**
   * Passes it on as events, such as to {@code Idempotency.listener()}.
   *
   * @param consumer the name in the events
   */
  static ConsumerListener to(String consumer, SemelListener listener) {
    return new ConsumerEvents(consumer, listener);
  }

  /** A message was handled; it was acknowledged, or will be delivered again. */
  default void handled(Message message, HandleResult how) {}

  /** The message is a dead letter now; {@link #handled} was called before. */
  default void buried(Message message, String reason) {}

  /** The broker or the database can't be reached; the consumer tries again. */
  default void troubled(Exception reason) {}
}
