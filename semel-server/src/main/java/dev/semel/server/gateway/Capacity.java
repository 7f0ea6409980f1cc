package dev.semel.server.gateway;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How much is under way with a key, in all loops together. */
final class Capacity {
  private final GatewayLimits limits;
  private final Semaphore places;
  private final AtomicLong held = new AtomicLong();

  Capacity(GatewayLimits limits) {
    this.limits = limits;
    this.places = new Semaphore(limits.guarded());
  }

  /** Whether so much more of bodies may be held; if so, it must be let go. */
  boolean hold(long bytes) {
    if (held.addAndGet(bytes) <= limits.heldBytes()) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  void letGo(long bytes) {
    held.addAndGet(-bytes);
  }

  boolean enter() {
    return places.tryAcquire();
  }

  void leave() {
    places.release();
  }

  /** Waits until nothing is under way. */
  boolean awaitEmpty(Duration time) {
    try {
      if (!places.tryAcquire(limits.guarded(), time.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      places.release(limits.guarded());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
