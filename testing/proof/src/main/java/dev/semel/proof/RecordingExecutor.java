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

/** Executes as an application would, and writes down what it was told. Safe for many threads. */
final class RecordingExecutor implements AutoCloseable {
  /** Nothing expires during a run. */
  static final Duration RETENTION = ProofPlan.LONGEST.multipliedBy(2);

  private static final ExecutionPolicy POLICY =
      ExecutionPolicy.defaults().withLease(ProofPlan.LEASE).withRetention(RETENTION);

  private final RunKeys keys;
  private final HistoryRecorder recorder;
  private final IdempotencyStore records;
  private final Idempotency idempotency;
  private final RecordedExecutions executions;

  /**
   * Asks a store.
   *
   * @param records the store's own, or something around it that can fail
   */
  RecordingExecutor(RunKeys keys, Store store, IdempotencyStore records, HistoryRecorder recorder) {
    this.keys = keys;
    this.recorder = recorder;
    this.records = new RecordedStore(records, recorder);
    this.idempotency = new Idempotency(new ProvedStore(store, this.records), SemelListener.NONE);
    this.executions = new RecordedExecutions(idempotency, recorder);
  }

  /** The store's steps, written down too. */
  IdempotencyStore records() {
    return records;
  }

  RunKeys keys() {
    return keys;
  }

  HistoryRecorder recorder() {
    return recorder;
  }

  /** The answer that was written down. */
  RecordedAnswer ask(Key key, Work<String, WorkFailed> work) {
    return executions.execute(key, POLICY.withTakeover(keys.takeover(key)), work);
  }

  @Override
  public void close() {
    idempotency.close();
  }
}
