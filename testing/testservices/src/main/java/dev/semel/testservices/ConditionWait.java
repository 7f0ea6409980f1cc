package dev.semel.testservices;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls a condition until a limit. */
final class ConditionWait {
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private ConditionWait() {}

  /**
   * Waits for the condition.
   *
   * @return false when it still does not hold at the limit
   */
  static boolean holds(Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    return true;
  }
}
