package dev.semel.inbox;

import dev.semel.transport.Message;

/** Hears what a consumer does, on its thread. */
public interface ConsumerListener {
  ConsumerListener NONE = new ConsumerListener() {};

  /** What became of a message; it was acknowledged, or will come again. */
  default void handled(Message message, Handled how) {}

  /** The broker or the database can't be reached; the consumer tries again. */
  default void troubled(Exception reason) {}
}
