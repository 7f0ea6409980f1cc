package dev.semel.spring.internal;

import dev.semel.Operation;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.HandleResult;
import dev.semel.micrometer.ExecutionObservations;
import dev.semel.micrometer.MessageObservations;
import dev.semel.micrometer.SemelMeters;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.function.Supplier;

/** Telemetry by semel-micrometer. */
public record MicrometerTelemetry(
    SemelMeters meters, ExecutionObservations observations, MessageObservations messages)
    implements ExecutionTelemetry {
  @Override
  public Store timing(Store store) {
    return meters.timing(store);
  }

  @Override
  public void keyMade(Operation operation, Duration took) {
    meters.keyMade(operation, took);
  }

  @Override
  public void checked(Operation operation, Duration took) {
    meters.checked(operation, took);
  }

  @Override
  public void kept(Operation operation, Duration retention) {
    meters.kept(operation, retention);
  }

  @Override
  public Message created(String system, Message message) {
    return messages.created(system, message);
  }

  @Override
  public Transport observing(Transport transport) {
    return messages.observing(transport);
  }

  @Override
  public HandleResult processed(
      String system, String consumer, Message message, Supplier<HandleResult> body) {
    return messages.processed(system, consumer, message, body::get);
  }

  @Override
  public <T, X extends Exception> Outcome<T> observe(Operation operation, Body<T, X> body)
      throws X {
    return observations.observe(operation, body::run);
  }
}
