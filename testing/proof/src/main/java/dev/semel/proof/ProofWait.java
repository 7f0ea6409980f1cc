package dev.semel.proof;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions that only other processes and clocks decide. */
public final class ProofWait {
  private static final Duration LOOK = Duration.ofMillis(10);

  private ProofWait() {}

  /** Lets real time pass. */
  public static void rest(Duration length) {
    boolean unused = until(length, () -> false);
  }

  /**
   * Waits for the condition.
   *
   * @return whether it came true within the limit
   */
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    return true;
  }
}
