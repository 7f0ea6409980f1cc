package dev.semel.spring.internal;

import dev.semel.Operation;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.HandleResult;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.function.Supplier;

/** Measures what events don't report. */
public interface ExecutionTelemetry extends TimingListener {
  ExecutionTelemetry NONE = new ExecutionTelemetry() {};

  /** Code that is measured. */
  @FunctionalInterface
  interface Body<T, X extends Exception> {
    Outcome<T> run() throws X;
  }

  @Override
  default Store timing(Store store) {
    return store;
  }

  @Override
  default void keyMade(Operation operation, Duration took) {}

  @Override
  default void checked(Operation operation, Duration took) {}

  @Override
  default void kept(Operation operation, Duration retention) {}

  /**
   * Observes a message that is about to be added to an outbox.
   *
   * @return the message to add
   */
  default Message created(String system, Message message) {
    return message;
  }

  default Transport observing(Transport transport) {
    return transport;
  }

  /** Observes the handling of a message, including its transaction. */
  default HandleResult processed(
      String system, String consumer, Message message, Supplier<HandleResult> body) {
    return body.get();
  }

  default <T, X extends Exception> Outcome<T> observe(Operation operation, Body<T, X> body)
      throws X {
    return body.run();
  }
}
