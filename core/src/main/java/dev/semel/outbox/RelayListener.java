package dev.semel.outbox;

import dev.semel.event.SemelListener;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.PublishResult;

/**
 * Receives what a {@link Relay} does, on the relay's thread: it must be quick, and must not block.
 */
public interface RelayListener {
  RelayListener NONE = new RelayListener() {};

  /** Passes it on as events, such as to {@code Idempotency.listener()}. */
  static RelayListener to(SemelListener listener) {
    return new RelayEvents(listener);
  }

  /** The broker confirmed the message. */
  default void published(OutboxEntry message, PublishResult published) {}

  /**
   * The broker refused the message.
   *
   * @param forGood true: it is a dead letter now
   */
  default void failed(OutboxEntry message, String reason, boolean forGood) {}

  /** The broker or the database can't be reached; the relay tries again. */
  default void troubled(Exception reason) {}
}
