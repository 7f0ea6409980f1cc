package dev.semel.tck.proof;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.EventListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Policy;
import dev.semel.idempotency.Request;
import dev.semel.idempotency.Store;
import dev.semel.idempotency.Work;
import dev.semel.tck.history.Action;
import dev.semel.tck.history.Answer;
import dev.semel.tck.history.RecordedStore;
import dev.semel.tck.history.Recorder;
import java.time.Duration;

/** Executes as an application would, and writes down what it was told. Safe for many threads. */
final class Asker implements AutoCloseable {
  /** Nothing expires during a run. */
  static final Duration RETENTION = Plan.LONGEST.multipliedBy(2);

  private static final Policy POLICY =
      Policy.defaults().withLease(Plan.LEASE).withRetention(RETENTION);

  private final RunKeys keys;
  private final Recorder recorder;
  private final IdempotencyStore records;
  private final Idempotency idempotency;

  /**
   * Asks a store.
   *
   * @param records the store's own, or something around it that can fail
   */
  Asker(RunKeys keys, Store store, IdempotencyStore records, Recorder recorder) {
    this.keys = keys;
    this.recorder = recorder;
    this.records = new RecordedStore(records, recorder);
    this.idempotency = new Idempotency(new ProvedStore(store, this.records), EventListener.NONE);
  }

  /** The store's steps, written down too. */
  IdempotencyStore records() {
    return records;
  }

  RunKeys keys() {
    return keys;
  }

  Recorder recorder() {
    return recorder;
  }

  /** The answer that was written down. */
  Answer ask(Key key, Work<String, WorkFailed> work) {
    long call = recorder.begin(key, new Action.Execute(keys.takeover(key)));
    Answer answer = answer(key, work);
    recorder.end(call, answer);
    return answer;
  }

  private Answer answer(Key key, Work<String, WorkFailed> work) {
    Policy policy = POLICY.withTakeover(keys.takeover(key));
    try {
      return answer(idempotency.execute(Request.of(key, Codec.utf8()).withPolicy(policy), work));
    } catch (WorkFailed | StoreException e) {
      return new Answer(Answer.Kind.THREW, 0, String.valueOf(e.getMessage()));
    }
  }

  private static Answer answer(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Executed<String> e ->
          new Answer(
              e.recorded() ? Answer.Kind.EXECUTED : Answer.Kind.UNRECORDED,
              e.attempt(),
              e.result());
      case Outcome.Replayed<String> r ->
          new Answer(Answer.Kind.REPLAY, r.original().attempt(), r.result());
      case Outcome.InFlight<String> f ->
          new Answer(Answer.Kind.IN_FLIGHT, f.original().attempt(), "");
      case Outcome.Mismatch<String> m ->
          new Answer(Answer.Kind.MISMATCH, m.original().attempt(), "");
      case Outcome.Failed<String> f -> new Answer(Answer.Kind.FAILED, 0, f.failure().kind());
      case Outcome.InDoubt<String> d ->
          new Answer(Answer.Kind.IN_DOUBT, d.original().attempt(), "");
    };
  }

  @Override
  public void close() {
    idempotency.close();
  }
}
