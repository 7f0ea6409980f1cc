package dev.semel.loop;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Repeats a step on a thread of its own until closed. The thread is a daemon: a process that ends
 * without closing its loops is as a crash would leave it, and every step must be able to bear that.
 */
public final class Loop implements AutoCloseable {
  /** One turn of the work. */
  @FunctionalInterface
  public interface Step {
    /** True: there is more to do at once. False: rest until the pause ends or someone wakes us. */
    boolean runOnce() throws Exception;
  }

  private final Machine machine;
  private final Thread thread;
  private volatile boolean stopping;

  private Loop(
      Machine machine, String name, Step step, Duration pause, Consumer<Exception> onError) {
    this.machine = machine;
    this.thread = machine.start(name, () -> repeat(step, pause, onError));
  }

  /**
   * Starts at once.
   *
   * @param pause how long to rest after a turn that found nothing to do, or that failed
   */
  public static Loop start(String name, Step step, Duration pause, Consumer<Exception> onError) {
    return start(Machine.REAL, name, step, pause, onError);
  }

  /** The same on another machine than this one. */
  public static Loop start(
      Machine machine, String name, Step step, Duration pause, Consumer<Exception> onError) {
    return new Loop(machine, name, step, pause, onError);
  }

  /** Runs a task once, beside the caller, where it may block without holding anyone up. */
  public static void beside(String name, Runnable task) {
    Machine.REAL.beside(name, task);
  }

  private void repeat(Step step, Duration pause, Consumer<Exception> onError) {
    while (!stopping) {
      boolean more = false;
      try {
        more = step.runOnce();
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        onError.accept(e);
      }
      if (!more && !stopping) {
        machine.park(this, pause.toNanos());
      }
    }
  }

  /** Ends a rest early. */
  public void wake() {
    machine.unpark(thread);
  }

  /** Lets the turn in progress finish, then ends. Interrupting the caller interrupts the turn. */
  @Override
  public void close() {
    stopping = true;
    wake();
    try {
      machine.join(thread);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
