package dev.semel.idempotency.internal;

import dev.semel.StoreException;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.Loop;
import dev.semel.loop.LoopFailures;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the leases of this process's running executions alive: renewed at 7/10, tried again within
 * the rest. One thread looks; adding and removing cost an execution next to nothing.
 */
public final class LeaseRenewals implements AutoCloseable {
  private static final String LOOP = "semel-renewals";

  /** How many looks fit into the shortest lease: a renewal is late by at most one of them. */
  private static final int LOOKS_PER_LEASE = 40;

  private static final Duration LONGEST_REST = Duration.ofSeconds(1);
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final Platform machine;
  private final Set<HeldKey> holdings = ConcurrentHashMap.newKeySet();
  private final AtomicLong rest = new AtomicLong(LONGEST_REST.toNanos());
  private final Loop loop;

  public LeaseRenewals(IdempotencyStore store, DecisionReporter reporter, Platform machine) {
    this.store = store;
    this.reporter = reporter;
    this.machine = machine;
    this.loop = Loop.startTimed(machine, LOOP, this::runOnce, LONGEST_REST);
  }

  public void add(HeldKey holding) {
    holdings.add(holding);
    long wanted = rest(holding);
    if (wanted < rest.get()) {
      rest.accumulateAndGet(wanted, Math::min);
      loop.wake();
    }
  }

  private static long rest(HeldKey holding) {
    return Math.max(SHORTEST_REST.toNanos(), holding.lease().toNanos() / LOOKS_PER_LEASE);
  }

  public void remove(HeldKey holding) {
    holdings.remove(holding);
  }

  /**
   * @return how long to rest: as the shortest lease of those that are held now wants it
   */
  private long runOnce() {
    // Before it is looked at who is there: whoever comes after that sees this, and wakes us.
    rest.set(LONGEST_REST.toNanos());
    long now = machine.nanos();
    holdings.removeIf(holding -> now >= holding.leaseEnd() || !holding.mayBeRenewed(now));
    for (HeldKey holding : holdings) {
      rest.accumulateAndGet(rest(holding), Math::min);
      if (now >= holding.renewAt && !holding.renewing) {
        holding.renewing = true;
        machine.beside("semel-renewal", () -> renew(holding));
      }
    }
    return rest.get();
  }

  private void renew(HeldKey holding) {
    long asked = machine.nanos();
    try {
      if (KeyClaimer.renew(store, holding.claim(), holding.also())) {
        holding.extended(asked);
      } else if (holdings.remove(holding) && !holding.isEnding()) { // else it met its own end
        holding.lose();
        reporter.fenced(holding.key(), holding.requestId(), holding.attempt(), "renew");
      }
    } catch (StoreException e) {
      holding.renewAt = asked + holding.lease().toNanos() / LOOKS_PER_LEASE;
      reporter.storeFailed(holding.key(), holding.requestId(), "renew", e);
    } catch (RuntimeException e) {
      holding.renewAt = asked + holding.lease().toNanos() / LOOKS_PER_LEASE;
      LoopFailures.report(LOOP, e); // a store's bug: this is not the loop's own thread
    } finally {
      holding.renewing = false;
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
