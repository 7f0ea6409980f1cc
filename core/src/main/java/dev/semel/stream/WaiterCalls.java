package dev.semel.stream;

/** Calls those who wait: one that fails must not keep the others waiting for ever. */
final class WaiterCalls {
  private WaiterCalls() {}

  /** What is thrown is told to whom the thread tells what nobody caught. */
  static void one(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
