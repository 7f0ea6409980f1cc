package dev.semel.idempotency.internal;

import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;

/**
 * A circuit breaker for the store, which spares callers the wait: after some failures in a row the
 * store is not asked for a while, then one caller tries. Safe for use by many threads.
 */
final class StoreCircuit {
  /** How many failures in a row open the circuit. */
  static final int FAILURES = 5;

  static final Duration FIRST_REST = Duration.ofMillis(100);
  static final Duration LONGEST_REST = Duration.ofSeconds(2);

  private final Platform platform;
  private int failures;
  private Backoff backoff;
  private long tryAgainAt;

  /** Read without a lock while all is well. */
  private volatile boolean open;

  StoreCircuit(Platform platform) {
    this.platform = platform;
    this.backoff = new Backoff(platform, FIRST_REST, LONGEST_REST);
  }

  /** Whether the store may be asked now; while it is away, true for one caller per rest. */
  boolean allows() {
    if (!open) {
      return true;
    }
    synchronized (this) {
      long now = platform.nanos();
      if (!open || now - tryAgainAt >= 0) {
        rest(now);
        return true;
      }
      return false;
    }
  }

  void succeeded() {
    if (open || failures > 0) {
      synchronized (this) {
        open = false;
        failures = 0;
        backoff = new Backoff(platform, FIRST_REST, LONGEST_REST);
      }
    }
  }

  synchronized void failed() {
    failures++;
    if (failures >= FAILURES) {
      if (!open) {
        rest(platform.nanos());
      }
      open = true;
    }
  }

  private void rest(long now) {
    tryAgainAt = now + backoff.nextNanos();
  }
}
