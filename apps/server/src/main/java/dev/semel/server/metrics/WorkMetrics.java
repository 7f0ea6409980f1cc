package dev.semel.server.metrics;

import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.TimingListener;
import dev.semel.server.http.Histogram;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures how long this process's executions take, by operation, if you give it to {@code
 * Idempotency} as its listener, and as {@link TimingListener} to its store. Safe for many threads;
 * counting never waits.
 */
public final class WorkMetrics implements SemelListener, TimingListener {
  private final Map<String, OfOperation> operations = new ConcurrentHashMap<>();

  private record OfOperation(
      Histogram execution, Histogram check, Histogram keyGeneration, Histogram retention) {
    OfOperation() {
      this(
          new Histogram(Histogram.SLOW),
          new Histogram(Histogram.FAST),
          new Histogram(Histogram.FAST),
          new Histogram(Histogram.RETENTIONS));
    }
  }

  private OfOperation of(Operation operation) {
    OfOperation known = operations.get(operation.name());
    if (known != null) {
      return known;
    }
    boolean room = operations.size() < OperationMetrics.MAX_OPERATIONS;
    return operations.computeIfAbsent(
        room ? operation.name() : OperationMetrics.OTHER, name -> new OfOperation());
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Completed completed) {
      of(completed.key().operation()).execution().record(completed.took());
    }
  }

  @Override
  public void checked(Operation operation, Duration took) {
    of(operation).check().record(took);
  }

  @Override
  public void kept(Operation operation, Duration retention) {
    of(operation).retention().record(retention);
  }

  @Override
  public void keyMade(Operation operation, Duration took) {
    of(operation).keyGeneration().record(took);
  }

  void write(PrometheusText out) {
    new TreeMap<>(operations)
        .forEach(
            (name, times) -> {
              out.histogram(
                  "semel_execution_seconds", "How long the work took", times.execution(), name);
              out.histogram(
                  "semel_dedup_check_seconds",
                  "How long the decision took who runs",
                  times.check(),
                  name);
              out.histogram(
                  "semel_key_generation_seconds",
                  "How long it took to make the key",
                  times.keyGeneration(),
                  name);
              out.histogram(
                  "semel_ttl_seconds", "How long records are to be kept", times.retention(), name);
            });
  }
}
