package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;

/** Executes work through the executor, and records its callers' answers. */
public final class RecordedExecutions {
  private final Idempotency idempotency;
  private final HistoryRecorder recorder;

  public RecordedExecutions(Idempotency idempotency, HistoryRecorder recorder) {
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

  /** Executes and records; if the process dies meanwhile, nothing more is recorded. */
  public RecordedAnswer execute(Key key, ExecutionPolicy policy, Work<String, WorkFailed> work) {
    long call = recorder.begin(key, new RecordedAction.Execute(policy.takeover()));
    RecordedAnswer answer;
    try {
      answer =
          answer(
              idempotency.execute(ExecutionRequest.of(key, Codec.utf8()).withPolicy(policy), work));
    } catch (WorkFailed | StoreException e) {
      answer = new RecordedAnswer(RecordedAnswer.Kind.THREW, 0, String.valueOf(e.getMessage()));
    }
    recorder.end(call, answer);
    return answer;
  }

  private static RecordedAnswer answer(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Executed<String> e ->
          new RecordedAnswer(
              e.recorded() ? RecordedAnswer.Kind.EXECUTED : RecordedAnswer.Kind.UNRECORDED,
              e.attempt(),
              e.result());
      case Outcome.Replayed<String> r ->
          new RecordedAnswer(RecordedAnswer.Kind.REPLAY, r.original().attempt(), r.result());
      case Outcome.Failed<String> f ->
          new RecordedAnswer(RecordedAnswer.Kind.FAILED, 0, f.failure().message());
      case Outcome.InFlight<String> f ->
          new RecordedAnswer(RecordedAnswer.Kind.IN_FLIGHT, f.original().attempt(), "");
      case Outcome.Mismatch<String> m ->
          new RecordedAnswer(RecordedAnswer.Kind.MISMATCH, m.original().attempt(), "");
      case Outcome.InDoubt<String> d ->
          new RecordedAnswer(RecordedAnswer.Kind.IN_DOUBT, d.original().attempt(), "");
    };
  }
}
