package dev.semel.spring.internal;

import dev.semel.ExecutionOrigin;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Work;
import dev.semel.loop.Platform;
import dev.semel.spring.ResultCodecs.Result;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Executes methods whose result comes after they returned: their key is held until then, by a
 * virtual thread that waits, and what is recorded is how it really ended.
 */
public final class LaterResults {
  static final String THREAD = "semel-idempotent";

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
  public static CompletableFuture<@Nullable Object> stage(
      ExecutionRequest<Result> request, Guarded guarded, Call call) {
    CompletableFuture<Boolean> granted = new CompletableFuture<>();
    CompletableFuture<@Nullable Object> called = new CompletableFuture<>();
    CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
    ExecutionOrigin outer = ExecutionOrigin.current();
    Platform.REAL.beside(
        THREAD,
        () -> {
          answer(
              answer,
              outer,
              () ->
                  guarded.execute(
                      execution -> {
                        granted.complete(true);
                        return new Result(await((CompletionStage<?>) await(called)));
                      }));
          granted.complete(false); // unless it was
        });
    if (granted.join()) {
      try {
        called.complete(
            ExecutionOrigin.of(request.key()).call(() -> new Result(call.run())).value());
      } catch (Throwable e) {
        called.completeExceptionally(e);
      }
    }
    return answer;
  }

  static void answer(
      CompletableFuture<@Nullable Object> answer, ExecutionOrigin outer, Call execution) {
    try {
      answer.complete(outer.call(() -> new Result(execution.run())).value());
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  static @Nullable Object await(@Nullable CompletionStage<?> stage) throws Exception {
    if (stage == null) {
      return null;
    }
    CompletableFuture<@Nullable Object> done = new CompletableFuture<>();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            done.complete(value);
          } else {
            done.completeExceptionally(failure);
          }
        });
    try {
      return done.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EffectUnknown("stopped while the result was waited for", e);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (CancellationException e) {
      throw unknown(e);
    }
  }

  private static Exception failure(Throwable wrapped) {
    Throwable cause = wrapped;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof CancellationException || cause instanceof TimeoutException) {
      return unknown(cause);
    }
    return cause instanceof Exception exception
        ? exception
        : new UndeclaredThrowableException(cause);
  }

  /** A future that is given up does not stop what it stands for. */
  private static EffectUnknown unknown(Throwable cause) {
    return new EffectUnknown("the result was given up, and the work may go on", cause);
  }
}
