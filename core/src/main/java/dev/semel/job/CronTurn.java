package dev.semel.job;

import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A slot's turn while this process has it. The lease counts from before the store was asked, so
 * this side sees it end before the store does.
 */
final class CronTurn {
  /** Stores count in whole milliseconds, so a lease may end this much earlier. */
  private static final long STORE_GRAIN = Duration.ofMillis(1).toNanos();

  private final Platform platform;
  private final CronGate gate;
  private final Instant slot;
  private final Token token;
  private final Duration lease;
  private volatile long leaseEnd;
  private volatile boolean lost;
  private volatile boolean ending;
  private volatile @Nullable Instant successor;

  /** Set while the work runs, so that an interrupt hits only the work. */
  private @Nullable Thread worker;

  /**
   * What the store granted.
   *
   * @param askedNanos on the platform's clock, from before it was asked
   */
  record Grant(Token token, Duration lease, long askedNanos) {}

  CronTurn(Platform platform, CronGate gate, Instant slot, Grant grant) {
    this.platform = platform;
    this.gate = gate;
    this.slot = slot;
    this.token = grant.token();
    this.lease = grant.lease();
    this.leaseEnd = grant.askedNanos() + lease.toNanos() - STORE_GRAIN;
  }

  Instant slot() {
    return slot;
  }

  boolean lost() {
    return lost;
  }

  /** The turn is being released, or was: it is not renewed any more. */
  boolean ending() {
    return ending;
  }

  boolean held() {
    return !lost && platform.nanos() < leaseEnd;
  }

  long leaseEnd() {
    return leaseEnd;
  }

  /**
   * Restarts the lease. If the turn was released meanwhile, the store refuses the renewal too, but
   * nothing is lost.
   *
   * @return false: the turn is {@link #lost}, and the work was interrupted, or it is {@link
   *     #ending}
   */
  boolean renew() {
    long asked = platform.nanos();
    if (gate.renew(token, lease)) {
      leaseEnd = asked + lease.toNanos() - STORE_GRAIN;
      return true;
    }
    if (!ending) { // it is set before the release
      lose();
    }
    return false;
  }

  /**
   * Stops the work because a later slot is due. The turn is not renewed any more, so it is over
   * within a lease even if the work ignores the interrupt. Until then no other slot gets it.
   */
  void stopFor(Instant later) {
    successor = later;
    lose();
  }

  /** The slot that this one was stopped for, if known here. */
  Optional<Instant> successor() {
    return Optional.ofNullable(successor);
  }

  private void lose() {
    lost = true;
    interrupt();
  }

  synchronized void interrupt() {
    if (worker != null) {
      worker.interrupt();
    }
  }

  synchronized void begin() {
    worker = Thread.currentThread();
  }

  /**
   * The work has ended. Clears an interrupt that was meant for it, so that the result can be
   * recorded.
   */
  synchronized void end() {
    worker = null;
    boolean ignored = Thread.interrupted();
  }

  /** False: another slot has the turn. */
  boolean release() {
    ending = true;
    return gate.release(token);
  }

  /** If the release fails, the turn ends with its lease. */
  void giveBack() {
    try {
      release();
    } catch (StoreException e) {
      // The next one waits until its lease ended.
    }
  }
}
