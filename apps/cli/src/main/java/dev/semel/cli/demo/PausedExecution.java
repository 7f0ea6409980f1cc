package dev.semel.cli.demo;

import dev.semel.idempotency.Outcome;
import dev.semel.loop.internal.Loop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An execution that pauses in its middle until the story continues it. So others come while it
 * runs, whatever the machine's load.
 */
final class PausedExecution {
  /** Nothing here takes long, and a hanging store must not hang the demo. */
  private static final int LIMIT_SECONDS = 30;

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);
  private final CompletableFuture<Outcome<String>> outcome = new CompletableFuture<>();

  private PausedExecution() {}

  /** The call to execute; its work calls {@code middle} where it should pause. */
  interface Call {
    Outcome<String> execute(Runnable middle);
  }

  /** Returns when the call is at its pause, or has ended without one. */
  static PausedExecution begin(String name, Call call) {
    PausedExecution midway = new PausedExecution();
    Loop.beside(
        name,
        () -> {
          try {
            midway.outcome.complete(call.execute(midway::stand));
          } catch (RuntimeException e) {
            midway.outcome.completeExceptionally(e);
          } finally {
            midway.reached.countDown();
          }
        });
    await(midway.reached);
    return midway;
  }

  private void stand() {
    reached.countDown();
    await(left);
  }

  /** Continues it, and returns its outcome. */
  Outcome<String> goOn() throws InterruptedException {
    left.countDown();
    try {
      return outcome.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the demo is stuck", e);
    }
  }

  /** Waits for a latch of a story. */
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the demo is stuck");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
