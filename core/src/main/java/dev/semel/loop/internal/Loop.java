package dev.semel.loop.internal;

import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Repeats a step on its own thread until closed. Every turn that throws is reported to {@link
 * LoopFailures} and tried again after the pause, also after an error of the JVM such as a missing
 * class, because nobody notices at once that a loop ended. The thread is a daemon: a process that
 * ends without closing its loops looks like a crash, and every step must tolerate that.
 */
public final class Loop implements AutoCloseable {
  /** One turn of the work. */
  @FunctionalInterface
  public interface Step {
    /**
     * True: there is more to do at once. False: rest until the pause ends or {@link #wake} is
     * called.
     */
    boolean runOnce() throws Exception;
  }

  /** One turn of work that decides when it is called next. */
  @FunctionalInterface
  public interface TimedStep {
    /**
     * How long to rest, in nanoseconds, unless {@link #wake} is called; 0: there is more to do at
     * once.
     */
    long runOnce() throws Exception;
  }

  private final Platform platform;
  private final String name;
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * Whether {@link #wake} was called since the turn began. An unpark alone could be consumed by a
   * lock that the turn waits for; the following rest would then ignore pending work.
   */
  private volatile boolean woken;

  /** The step of each turn, and what to do after a failed one. */
  private record LoopTurns(TimedStep step, Duration pause, Consumer<Exception> onError) {}

  private Loop(Platform platform, String name, LoopTurns turns) {
    this.platform = platform;
    this.name = name;
    this.thread = platform.start(name, () -> repeat(turns));
  }

  /**
   * Starts at once.
   *
   * @param pause how long to rest after a turn without work, or after a failed one
   */
  public static Loop start(String name, Step step, Duration pause) {
    return start(Platform.REAL, name, step, pause);
  }

  /**
   * Starts at once, with a handler for failed turns.
   *
   * @param onError called after the failure was reported to {@link LoopFailures}
   */
  public static Loop start(String name, Step step, Duration pause, Consumer<Exception> onError) {
    return start(Platform.REAL, name, step, pause, onError);
  }

  /** Starts on this platform. */
  public static Loop start(Platform platform, String name, Step step, Duration pause) {
    return start(platform, name, step, pause, Loop::nothingMore);
  }

  /** Starts on this platform, with a handler for failed turns. */
  public static Loop start(
      Platform platform, String name, Step step, Duration pause, Consumer<Exception> onError) {
    long rest = pause.toNanos();
    return new Loop(platform, name, new LoopTurns(() -> step.runOnce() ? 0 : rest, pause, onError));
  }

  /**
   * Starts a step that decides how long to rest.
   *
   * @param pause how long to rest after a failed turn
   */
  public static Loop startTimed(Platform platform, String name, TimedStep step, Duration pause) {
    return startTimed(platform, name, step, pause, Loop::nothingMore);
  }

  /** Starts a step that decides how long to rest, with a handler for failed turns. */
  public static Loop startTimed(
      Platform platform, String name, TimedStep step, Duration pause, Consumer<Exception> onError) {
    return new Loop(platform, name, new LoopTurns(step, pause, onError));
  }

  /** The failure was already reported. */
  private static void nothingMore(Exception reported) {}

  /** Runs a task once, on its own virtual thread, where it may block. */
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
      } catch (LinkageError | VirtualMachineError e) { // such as a missing class, or no memory
        tell(turns.onError(), new IllegalStateException("an error of the JVM", e));
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

  /** Ends the rest early, even the one after the turn in progress. */
  public void wake() {
    woken = true;
    platform.unpark(thread);
  }

  /** Waits for the turn in progress, then ends. Interrupting the caller interrupts the turn. */
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
