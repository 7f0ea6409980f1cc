package dev.semel.loop.internal;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Repeats a step on a thread of its own until closed. A turn that throws is reported to {@link
 * LoopFailures}, always, and tried again after the pause. The thread is a daemon: a process that
 * ends without closing its loops is as a crash would leave it, and every step must be able to bear
 * that.
 */
public final class Loop implements AutoCloseable {
  /** One turn of the work. */
  @FunctionalInterface
  public interface Step {
    /** True: there is more to do at once. False: rest until the pause ends or someone wakes us. */
    boolean runOnce() throws Exception;
  }

  /** One turn of work that knows when it wants to be called next. */
  @FunctionalInterface
  public interface TimedStep {
    /**
     * How long to rest, in nanoseconds, unless someone wakes us; 0: there is more to do at once.
     */
    long runOnce() throws Exception;
  }

  private final Platform platform;
  private final String name;
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * Since the turn began. A wake-up alone could be used up by any lock that the turn waits for, and
   * the rest after it would sleep through what there is to do.
   */
  private volatile boolean woken;

  /** What is done in each turn, and after one that failed. */
  private record LoopTurns(TimedStep step, Duration pause, Consumer<Exception> onError) {}

  private Loop(Platform platform, String name, LoopTurns turns) {
    this.platform = platform;
    this.name = name;
    this.thread = platform.start(name, () -> repeat(turns));
  }

  /**
   * Starts at once.
   *
   * @param pause how long to rest after a turn that found nothing to do, or that failed
   */
  public static Loop start(String name, Step step, Duration pause) {
    return start(Platform.REAL, name, step, pause);
  }

  /**
   * Starts at once, with something more to do when a turn has failed.
   *
   * @param onError called after the failure was reported to {@link LoopFailures}
   */
  public static Loop start(String name, Step step, Duration pause, Consumer<Exception> onError) {
    return start(Platform.REAL, name, step, pause, onError);
  }

  /** Starts on any machine. */
  public static Loop start(Platform platform, String name, Step step, Duration pause) {
    return start(platform, name, step, pause, Loop::nothingMore);
  }

  /** Starts on any machine, with something more to do when a turn has failed. */
  public static Loop start(
      Platform platform, String name, Step step, Duration pause, Consumer<Exception> onError) {
    long rest = pause.toNanos();
    return new Loop(platform, name, new LoopTurns(() -> step.runOnce() ? 0 : rest, pause, onError));
  }

  /**
   * Starts a step that knows how long to rest.
   *
   * @param pause how long to rest after a turn that failed
   */
  public static Loop startTimed(Platform platform, String name, TimedStep step, Duration pause) {
    return startTimed(platform, name, step, pause, Loop::nothingMore);
  }

  /** Starts a step that knows how long to rest, with something more to do when it has failed. */
  public static Loop startTimed(
      Platform platform, String name, TimedStep step, Duration pause, Consumer<Exception> onError) {
    return new Loop(platform, name, new LoopTurns(step, pause, onError));
  }

  /** The failure was reported, and that is all. */
  private static void nothingMore(Exception reported) {}

  /** Runs a task once, beside the caller, where it may block without holding anyone up. */
  public static void beside(String name, Runnable task) {
    Platform.REAL.beside(name, task);
  }

  private void repeat(LoopTurns turns) {
    long pause = turns.pause().toNanos();
    while (!stopping) {
      woken = false;
      long rest = pause;
      try {
        rest = turns.step().runOnce();
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        tell(turns.onError(), e);
      }
      if (rest > 0 && !stopping && !woken) {
        platform.park(this, rest);
      }
    }
  }

  /** A handler that fails must not end the loop. */
  private void tell(Consumer<Exception> onError, Exception failure) {
    LoopFailures.report(name, failure);
    try {
      onError.accept(failure);
    } catch (RuntimeException e) {
      LoopFailures.report(name, e);
    }
  }

  /** Ends a rest early, also the one after the turn in progress. */
  public void wake() {
    woken = true;
    platform.unpark(thread);
  }

  /** Lets the turn in progress finish, then ends. Interrupting the caller interrupts the turn. */
  @Override
  public void close() {
    stopping = true;
    wake();
    try {
      platform.join(thread);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
