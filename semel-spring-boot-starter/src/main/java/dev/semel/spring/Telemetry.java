package dev.semel.spring;

import dev.semel.Operation;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Store;
import dev.semel.idempotency.Timings;
import java.time.Duration;

/** Who measures what events don't tell. */
interface Telemetry extends Timings {
  Telemetry NONE = new Telemetry() {};

  /** Something that comes to an outcome. */
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

  default <T, X extends Exception> Outcome<T> observe(Operation operation, Body<T, X> body)
      throws X {
    return body.run();
  }
}
