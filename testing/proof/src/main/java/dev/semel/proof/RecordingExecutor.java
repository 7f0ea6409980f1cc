package dev.semel.proof;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.proof.history.HistoryRecorder;
import dev.semel.proof.history.RecordedAnswer;
import dev.semel.proof.history.RecordedExecutions;
import dev.semel.proof.history.RecordedExecutions.WorkFailed;
import dev.semel.proof.history.RecordedStore;
import java.time.Duration;

/** Executes like an application, and records its answers. Safe for many threads. */
final class RecordingExecutor implements AutoCloseable {
  /** Longer than any run, so that nothing expires. */
  static final Duration RETENTION = ProofPlan.LONGEST.multipliedBy(2);

  private static final ExecutionPolicy POLICY =
      ExecutionPolicy.defaults().withLease(ProofPlan.LEASE).withRetention(RETENTION);

  private final RunKeys keys;
  private final HistoryRecorder recorder;
  private final IdempotencyStore records;
  private final Idempotency idempotency;
  private final RecordedExecutions executions;

  /**
   * Executes on a store.
   *
   * @param records the store's records, or a wrapper that can fail
   */
  RecordingExecutor(RunKeys keys, Store store, IdempotencyStore records, HistoryRecorder recorder) {
    this.keys = keys;
    this.recorder = recorder;
    this.records = new RecordedStore(records, recorder);
    this.idempotency = new Idempotency(new ProvedStore(store, this.records), SemelListener.NONE);
    this.executions = new RecordedExecutions(idempotency, recorder);
  }

  /** The store's recorded steps. */
  IdempotencyStore records() {
    return records;
  }

  RunKeys keys() {
    return keys;
  }

  HistoryRecorder recorder() {
    return recorder;
  }

  /** Executes, and returns the recorded answer. */
  RecordedAnswer ask(Key key, Work<String, WorkFailed> work) {
    return executions.execute(key, POLICY.withTakeover(keys.takeover(key)), work);
  }

  @Override
  public void close() {
    idempotency.close();
  }
}
