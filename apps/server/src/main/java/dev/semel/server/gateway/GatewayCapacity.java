package dev.semel.server.gateway;

import dev.semel.server.http.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Limits of guarded requests and of the bytes held for them, shared by all event loops. */
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
   * Lets one call at a time go on without room. Otherwise calls that each hold a part of what they
   * need could wait for each other forever.
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

  /** Waits until no guarded request is under way; false: not within this time. */
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
