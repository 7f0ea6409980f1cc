package dev.semel.stream.internal;

/** Calls waiting callers: a call that fails must not keep the others waiting forever. */
public final class WaiterCalls {
  private WaiterCalls() {}

  /** Exceptions go to the thread's uncaught-exception handler. */
  public static void one(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
