package dev.semel.redis;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Repeats a step until the connection is back. */
public final class Reconnecting {
  private static final Duration LIMIT = Patience.LIMIT;
  private static final Duration TRY_EVERY = Duration.ofMillis(10);

  private Reconnecting() {}

  public static <T> T until(Supplier<T> step) {
    long start = System.nanoTime();
    while (true) {
      try {
        return step.get();
      } catch (StoreException e) {
        if (System.nanoTime() - start > LIMIT.toNanos()) {
          throw e;
        }
        LockSupport.parkNanos(TRY_EVERY.toNanos());
      }
    }
  }
}
