package dev.semel.tck.history;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;

/** Executes work through the executor, and writes down what its callers were told. */
public final class RecordedExecutions {
  private final Idempotency idempotency;
  private final Recorder recorder;

  public RecordedExecutions(Idempotency idempotency, Recorder recorder) {
    this.idempotency = idempotency;
    this.recorder = recorder;
  }

  /** Thrown by work that fails before it has any effect. */
  public static final class WorkFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public WorkFailed() {
      super("the work failed before its effect");
    }
  }

  /** Where the process dies meanwhile, nothing more is written. */
  public Answer execute(Key key, ExecutionPolicy policy, Work<String, WorkFailed> work) {
    long call = recorder.begin(key, new Action.Execute(policy.takeover()));
    Answer answer;
    try {
      answer =
          answer(
              idempotency.execute(ExecutionRequest.of(key, Codec.utf8()).withPolicy(policy), work));
    } catch (WorkFailed | StoreException e) {
      answer = new Answer(Answer.Kind.THREW, 0, String.valueOf(e.getMessage()));
    }
    recorder.end(call, answer);
    return answer;
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
      case Outcome.Failed<String> f -> new Answer(Answer.Kind.FAILED, 0, f.failure().message());
      case Outcome.InFlight<String> f ->
          new Answer(Answer.Kind.IN_FLIGHT, f.original().attempt(), "");
      case Outcome.Mismatch<String> m ->
          new Answer(Answer.Kind.MISMATCH, m.original().attempt(), "");
      case Outcome.InDoubt<String> d ->
          new Answer(Answer.Kind.IN_DOUBT, d.original().attempt(), "");
    };
  }
}
