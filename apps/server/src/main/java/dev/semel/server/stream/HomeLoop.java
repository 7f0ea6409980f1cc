package dev.semel.server.stream;

import io.vertx.core.Context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The event loop of a connection: everything that touches the connection runs there. It collects
 * tasks from other threads, so that a batch of answers wakes the loop once.
 */
public final class HomeLoop {
  /** How long tasks may run before connections have a turn. */
  private static final long TURN_NANOS = 2_000_000;

  private final Context context;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> arrived = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean called = new AtomicBoolean();

  private HomeLoop(Context context) {
    this.context = context;
    this.thread = Thread.currentThread();
  }

  /** Call it on the event loop itself. */
  public static HomeLoop here(Context context) {
    return new HomeLoop(context);
  }

  public Context context() {
    return context;
  }

  /** Runs the task at once if this is the loop, else as soon as the loop gets to it. */
  void run(Runnable task) {
    if (Thread.currentThread().equals(thread)) {
      task.run();
    } else {
      later(task);
    }
  }

  /** Never runs the task within this call. */
  void later(Runnable task) {
    arrived.add(task);
    if (called.compareAndSet(false, true)) {
      context.runOnContext(v -> drain());
    }
  }

  /**
   * Leaves the remaining tasks to a later turn: tasks that cause tasks must not keep connections
   * waiting.
   */
  private void rest() {
    if (!arrived.isEmpty() && called.compareAndSet(false, true)) {
      context.runOnContext(v -> drain());
    }
  }

  private void drain() {
    // Before the queue is emptied: a task that arrives meanwhile then calls again rather than
    // never.
    called.set(false);
    long start = System.nanoTime();
    for (Runnable task = arrived.poll(); task != null; task = arrived.poll()) {
      try {
        task.run();
      } catch (RuntimeException e) {
        CallFailures.report(e);
      } catch (Error e) {
        rest(); // the remaining tasks must not wait for the next arrival
        throw e;
      }
      if (System.nanoTime() - start > TURN_NANOS) {
        rest();
        return;
      }
    }
  }
}
