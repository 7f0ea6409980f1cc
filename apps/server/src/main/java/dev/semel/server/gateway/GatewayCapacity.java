package dev.semel.server.gateway;

import dev.semel.server.http.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How much is under way with a key, in all loops together. */
final class GatewayCapacity {
  private final GatewayLimits limits;
  private final Semaphore places;
  private final MemoryBudget budget;
  private final SentAnswers answers;
  private final AtomicReference<@Nullable GuardedCall> first = new AtomicReference<>();

  GatewayCapacity(GatewayLimits limits) {
    this.limits = limits;
    this.places = new Semaphore(limits.guarded());
    this.budget = new MemoryBudget(limits.heldBytes());
    this.answers = new SentAnswers(budget);
  }

  MemoryBudget budget() {
    return budget;
  }

  SentAnswers answers() {
    return answers;
  }

  /**
   * Whether this one may go on although there is no room: one at a time, so that those who wait for
   * room with a part of what they need don't wait for each other.
   */
  boolean goesFirst(GuardedCall one) {
    return first.compareAndSet(null, one) || one.equals(first.get());
  }

  void lets(GuardedCall one) {
    first.compareAndSet(one, null);
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
