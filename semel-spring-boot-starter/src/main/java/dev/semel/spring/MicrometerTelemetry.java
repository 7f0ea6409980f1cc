package dev.semel.spring;

import dev.semel.Operation;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Store;
import dev.semel.micrometer.ExecutionObservations;
import dev.semel.micrometer.SemelMeters;
import java.time.Duration;

/** By semel-micrometer. */
record MicrometerTelemetry(SemelMeters meters, ExecutionObservations observations)
    implements Telemetry {
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
  public <T, X extends Exception> Outcome<T> observe(Operation operation, Body<T, X> body)
      throws X {
    return observations.observe(operation, body::run);
  }
}
