package dev.semel.spring.internal;

import dev.semel.ExecutionOrigin;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.internal.LaterWork;
import dev.semel.spring.ResultCodecs.Result;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Executes methods whose result comes after they returned: their key is held until then, by a
 * virtual thread that waits, and what is recorded is how it really ended.
 */
public final class LaterResults {
  /** A method's call. */
  @FunctionalInterface
  public interface Call {
    @Nullable Object run() throws Exception;
  }

  /** An execution that answers, or throws what the caller is to get. */
  @FunctionalInterface
  public interface Guarded {
    @Nullable Object execute(Work<Result, Exception> work) throws Exception;
  }

  private LaterResults() {}

  /**
   * Calls the method here, on the thread of its caller, once the key is granted. All else that may
   * become of it is told by the stage.
   */
  @SuppressWarnings("unchecked") // a method that returns a stage does
  public static CompletableFuture<@Nullable Object> stage(
      ExecutionRequest<Result> request, Guarded guarded, Call call) {
    return LaterWork.<Object, @Nullable Object>stage(
        request.key(),
        work -> guarded.execute(execution -> new Result(work.run(execution))),
        execution -> (CompletionStage<Object>) call.run());
  }

  static void answer(
      CompletableFuture<@Nullable Object> answer, ExecutionOrigin outer, Call execution) {
    try {
      answer.complete(outer.call(() -> new Result(execution.run())).value());
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }
}
