package dev.semel.micrometer;

import dev.semel.Operation;
import dev.semel.idempotency.Outcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes whole requests, from before the check to the answer: a span with a tracer, a timer
 * {@code semel.request} with a meter registry. The key values are the operation and the outcome,
 * never a tenant or an id.
 */
public final class ExecutionObservations {
  public static final String NAME = "semel.request";

  /** The outcome of a request that threw an exception. */
  static final String THREW = "threw";

  private final ObservationRegistry registry;
  private final LimitedMeters<String> names;

  public ExecutionObservations(ObservationRegistry registry, MeterSettings settings) {
    this.registry = registry;
    this.names = new LimitedMeters<>(settings.maxOperations(), name -> name);
  }

  /** A request's code: it is executed, replayed or refused. */
  @FunctionalInterface
  public interface Body<T, X extends Exception> {
    Outcome<T> run() throws X;
  }

  @SuppressWarnings("try") // the scope only needs closing
  public <T, X extends Exception> Outcome<T> observe(Operation operation, Body<T, X> body)
      throws X {
    if (registry.isNoop()) {
      return body.run();
    }
    String name = names.of(operation.name());
    Observation observation =
        Observation.createNotStarted(NAME, registry)
            .contextualName("semel " + name)
            .lowCardinalityKeyValue(MeterTag.OPERATION, name)
            // Meters need the same keys in every case.
            .lowCardinalityKeyValue(MeterTag.OUTCOME, THREW)
            .start();
    try (Observation.Scope scope = observation.openScope()) {
      Outcome<T> outcome = body.run();
      observation.lowCardinalityKeyValue(MeterTag.OUTCOME, word(outcome));
      return outcome;
    } catch (Exception e) {
      observation.error(e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  private static String word(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Executed<?> e -> e.recorded() ? "executed" : "unrecorded";
      case Outcome.Replayed<?> r -> "replayed";
      case Outcome.InFlight<?> f -> "in_flight";
      case Outcome.Mismatch<?> m -> "mismatch";
      case Outcome.Failed<?> f -> "failed";
      case Outcome.InDoubt<?> d -> "in_doubt";
    };
  }
}
