package dev.semel.idempotency.internal;

import dev.semel.StoreException;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the leases of this process's running executions alive: renews at 7/10 of a lease, and
 * retries within the rest. One thread checks all of them; adding and removing cost an execution
 * next to nothing.
 */
public final class LeaseRenewals implements AutoCloseable {
  private static final String LOOP = "semel-renewals";

  /** How many checks fit into the shortest lease: a renewal is late by at most one of them. */
  private static final int LOOKS_PER_LEASE = 40;

  private static final Duration LONGEST_REST = Duration.ofSeconds(1);
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final Platform platform;
  private final Set<HeldKey> heldKeys = ConcurrentHashMap.newKeySet();
  private final AtomicLong rest = new AtomicLong(LONGEST_REST.toNanos());
  private final Loop loop;

  public LeaseRenewals(ExecutionContext context) {
    this.store = context.store();
    this.reporter = context.reporter();
    this.platform = context.platform();
    this.loop = Loop.startTimed(platform, LOOP, this::runOnce, LONGEST_REST);
  }

  public void add(HeldKey heldKey) {
    heldKeys.add(heldKey);
    long wanted = rest(heldKey);
    if (wanted < rest.get()) {
      rest.accumulateAndGet(wanted, Math::min);
      loop.wake();
    }
  }

  private static long rest(HeldKey heldKey) {
    return Math.max(SHORTEST_REST.toNanos(), heldKey.lease().toNanos() / LOOKS_PER_LEASE);
  }

  public void remove(HeldKey heldKey) {
    heldKeys.remove(heldKey);
  }

  /**
   * @return how long to rest, as the shortest lease held now requires
   */
  private long runOnce() {
    // Reset before the keys are read: a key that is added later sees this value, and wakes the
    // loop.
    rest.set(LONGEST_REST.toNanos());
    long now = platform.nanos();
    heldKeys.removeIf(heldKey -> now >= heldKey.leaseEnd() || !heldKey.mayBeRenewed(now));
    for (HeldKey heldKey : heldKeys) {
      rest.accumulateAndGet(rest(heldKey), Math::min);
      if (now >= heldKey.renewAt && !heldKey.renewing) {
        heldKey.renewing = true;
        platform.beside("semel-renewal", () -> renew(heldKey));
      }
    }
    return rest.get();
  }

  private void renew(HeldKey heldKey) {
    long asked = platform.nanos();
    try {
      if (KeyClaimer.renew(store, heldKey.claim(), heldKey.also())) {
        heldKey.extended(asked);
      } else if (heldKeys.remove(heldKey) && !heldKey.isEnding()) { // else the execution just ended
        heldKey.lose();
        reporter.fenced(heldKey.key(), heldKey.requestId(), heldKey.attempt(), "renew");
      }
    } catch (StoreException e) {
      heldKey.renewAt = asked + heldKey.lease().toNanos() / LOOKS_PER_LEASE;
      reporter.storeFailed(heldKey.key(), heldKey.requestId(), "renew", e);
    } catch (RuntimeException e) {
      heldKey.renewAt = asked + heldKey.lease().toNanos() / LOOKS_PER_LEASE;
      LoopFailures.report(LOOP, e); // a store's bug, on another thread than the loop's
    } finally {
      heldKey.renewing = false;
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
