package dev.semel.stream.internal;

/** Calls those who wait: one that fails must not keep the others waiting for ever. */
public final class WaiterCalls {
  private WaiterCalls() {}

  /** What is thrown is told to whom the thread tells what nobody caught. */
  public static void one(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
