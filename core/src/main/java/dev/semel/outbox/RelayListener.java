package dev.semel.outbox;

import dev.semel.event.SemelListener;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.PublishResult;

/** Hears what a relay does, on the relay's thread: it should be quick, and must not wait. */
public interface RelayListener {
  RelayListener NONE = new RelayListener() {};

  /** Tells of it as events, such as to {@code Idempotency.listener()}. */
  static RelayListener to(SemelListener listener) {
    return new RelayEvents(listener);
  }

  /** The broker has it. */
  default void published(OutboxEntry message, PublishResult published) {}

  /**
   * It was not taken.
   *
   * @param forGood it is a dead letter now
   */
  default void failed(OutboxEntry message, String reason, boolean forGood) {}

  /** The broker or the database can't be reached; the relay tries again. */
  default void troubled(Exception reason) {}
}
