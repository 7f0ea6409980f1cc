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
 * Executes methods whose result arrives after they return. A virtual thread waits and holds the key
 * until then, so the record has the real result.
 */
public final class LaterResults {
  /** A call of the method. */
  @FunctionalInterface
  public interface Call {
    @Nullable Object run() throws Exception;
  }

  /** An execution that returns the answer, or throws the caller's exception. */
  @FunctionalInterface
  public interface Guarded {
    @Nullable Object execute(Work<Result, Exception> work) throws Exception;
  }

  private LaterResults() {}

  /**
   * Calls the method on its caller's thread, once the key is granted. The stage reports everything
   * else.
   */
  @SuppressWarnings("unchecked") // a method that returns a stage does that too
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
