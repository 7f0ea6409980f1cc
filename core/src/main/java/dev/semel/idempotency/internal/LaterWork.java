package dev.semel.idempotency.internal;

import dev.semel.ExecutionOrigin;
import dev.semel.Key;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.Work;
import dev.semel.loop.Platform;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous work: a waiting virtual thread holds its key until its stage completes, and records
 * how it really ended.
 */
public final class LaterWork {
  public static final String THREAD = "semel-idempotent";

  /** Begins the work; null stands for a null result. */
  @FunctionalInterface
  public interface Beginning<V> {
    @Nullable CompletionStage<V> begin(Execution execution) throws Exception;
  }

  /** An execution that returns the caller's answer, or throws the caller's exception. */
  @FunctionalInterface
  public interface Guarded<V, R extends @Nullable Object> {
    R execute(Work<V, Exception> work) throws Exception;
  }

  private LaterWork() {}

  /**
   * Begins the work on a virtual thread once the key is granted, so that the caller never waits;
   * the returned stage has the result.
   */
  public static <V, R extends @Nullable Object> CompletableFuture<R> beside(
      Guarded<V, R> guarded, Beginning<V> work) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    ExecutionOrigin outer = ExecutionOrigin.current();
    Platform.REAL.beside(
        THREAD,
        () ->
            complete(
                answer,
                () ->
                    outer.call(() -> guarded.execute(execution -> await(work.begin(execution))))));
    return answer;
  }

  private static <R extends @Nullable Object> void complete(
      CompletableFuture<R> answer, Callable<R> execution) {
    try {
      answer.complete(execution.call());
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  /**
   * Begins the work on the caller's thread once the key is granted. The stage reports all other
   * results.
   */
  public static <V, R extends @Nullable Object> CompletableFuture<R> stage(
      Key key, Guarded<V, R> guarded, Beginning<V> work) {
    CompletableFuture<@Nullable Execution> granted = new CompletableFuture<>();
    CompletableFuture<@Nullable CompletionStage<V>> begun = new CompletableFuture<>();
    CompletableFuture<R> answer = new CompletableFuture<>();
    ExecutionOrigin outer = ExecutionOrigin.current();
    Platform.REAL.beside(
        THREAD,
        () -> {
          complete(
              answer,
              () ->
                  outer.call(
                      () ->
                          guarded.execute(
                              execution -> {
                                granted.complete(execution);
                                return await(await(begun));
                              })));
          granted.complete(null); // no effect if it was granted
        });
    Execution execution = granted.join();
    if (execution != null) {
      try {
        begun.complete(ExecutionOrigin.of(key).call(() -> work.begin(execution)));
      } catch (Throwable e) {
        begun.completeExceptionally(e);
      }
    }
    return answer;
  }

  /** Waits for the result, or throws the stage's failure. */
  @SuppressWarnings("NullAway") // like work, a stage may complete with null
  public static <V> V await(@Nullable CompletionStage<V> stage) throws Exception {
    if (stage == null) {
      return null;
    }
    CompletableFuture<V> done = new CompletableFuture<>();
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

  /** Cancelling a future does not stop its work. */
  private static EffectUnknown unknown(Throwable cause) {
    return new EffectUnknown("the result was given up, and the work may go on", cause);
  }
}
