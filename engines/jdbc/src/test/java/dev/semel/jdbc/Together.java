package dev.semel.jdbc;

import dev.semel.junit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Runs steps concurrently, and waits for conditions. */
public final class Together {
  static final Duration PATIENCE = Patience.LIMIT;

  private Together() {}

  /** A step on another thread that a test can observe and interrupt. */
  public record Beside<T>(Thread thread, Future<T> future) {
    public T result() {
      return Together.result(future);
    }

    /** The step's exception; fails the test if it had a result. */
    public Throwable failure() {
      try {
        T result = future.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        throw new AssertionError("it should have failed but gave " + result);
      } catch (ExecutionException e) {
        return Objects.requireNonNull(e.getCause());
      } catch (InterruptedException | TimeoutException e) {
        throw new AssertionError("it did not end", e);
      }
    }

    /** Returns once the step waits for another thread. */
    public void awaitWaiting() {
      until(
          () ->
              thread.getState() == Thread.State.WAITING
                  || thread.getState() == Thread.State.TIMED_WAITING);
    }
  }

  public static <T> Beside<T> beside(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    return new Beside<>(Thread.ofPlatform().daemon().start(future), future);
  }

  /** Runs the same step on many threads; fails when one throws or hangs. */
  public static <T> List<T> race(int racers, Callable<T> step) {
    CompletableFuture<Void> start = new CompletableFuture<>();
    List<Beside<T>> running = new ArrayList<>();
    for (int i = 0; i < racers; i++) {
      running.add(
          beside(
              () -> {
                start.join();
                return step.call();
              }));
    }
    start.complete(null);
    return running.stream().map(Beside::result).toList();
  }

  static <T> T result(Future<T> future) {
    try {
      return future.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("it failed", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("it did not end", e);
    }
  }

  public static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not come to pass");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
