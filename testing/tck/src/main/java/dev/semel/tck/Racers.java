package dev.semel.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs the same step on many threads at the same moment. */
public final class Racers {
  /** After this long a step counts as hung, even on a busy machine. */
  private static final long PATIENCE_SECONDS = 300;

  private Racers() {}

  /** Races on few operating system threads, which are preempted anywhere. */
  public static <T> List<T> onPlatformThreads(int racers, IntFunction<T> step) {
    return race(racers, Thread.ofPlatform().daemon().factory(), step);
  }

  /** Races on many virtual threads, as a server with one per request does. */
  public static <T> List<T> onVirtualThreads(int racers, IntFunction<T> step) {
    return race(racers, Thread.ofVirtual().factory(), step);
  }

  /** The steps' results in the racers' order; fails when one threw or hung. */
  private static <T> List<T> race(int racers, ThreadFactory threads, IntFunction<T> step) {
    CountDownLatch ready = new CountDownLatch(racers);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<T>> running = new ArrayList<>();
    ExecutorService executor = Executors.newThreadPerTaskExecutor(threads);
    try {
      for (int i = 0; i < racers; i++) {
        int racer = i;
        running.add(
            executor.submit(
                () -> {
                  ready.countDown();
                  start.await();
                  return step.apply(racer);
                }));
      }
      ready.await();
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> each : running) {
        results.add(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while racing", e);
    } catch (ExecutionException e) {
      throw new AssertionError("a racer failed", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a racer hung", e);
    } finally {
      // Not close(), which would wait for ever for a hanging racer.
      executor.shutdownNow();
    }
  }
}
