package dev.semel.server.stream;

import io.vertx.core.Context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The event loop that a connection belongs to: all that touches the connection runs there. Tasks
 * from other threads are gathered, so that a batch of answers wakes the loop once.
 */
public final class HomeLoop {
  /** How long tasks may run before connections have their turn. */
  private static final long TURN_NANOS = 2_000_000;

  private final Context context;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> arrived = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean called = new AtomicBoolean();

  private HomeLoop(Context context) {
    this.context = context;
    this.thread = Thread.currentThread();
  }

  /** To be called on the loop itself. */
  public static HomeLoop here(Context context) {
    return new HomeLoop(context);
  }

  public Context context() {
    return context;
  }

  /** At once if this is the loop, else as soon as it gets there. */
  void run(Runnable task) {
    if (Thread.currentThread().equals(thread)) {
      task.run();
    } else {
      later(task);
    }
  }

  /** Not within this call, whoever calls. */
  void later(Runnable task) {
    arrived.add(task);
    if (called.compareAndSet(false, true)) {
      context.runOnContext(v -> drain());
    }
  }

  /** Tasks that bring about tasks must not keep connections waiting: the others come next. */
  private void rest() {
    if (!arrived.isEmpty() && called.compareAndSet(false, true)) {
      context.runOnContext(v -> drain());
    }
  }

  private void drain() {
    // Before the queue is emptied: what arrives meanwhile calls again rather than never.
    called.set(false);
    long start = System.nanoTime();
    for (Runnable task = arrived.poll(); task != null; task = arrived.poll()) {
      try {
        task.run();
      } catch (RuntimeException e) {
        CallFailures.report(e);
      } catch (Error e) {
        rest(); // those behind it are not to wait until someone else comes
        throw e;
      }
      if (System.nanoTime() - start > TURN_NANOS) {
        rest();
        return;
      }
    }
  }
}
