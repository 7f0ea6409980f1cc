package dev.semel.job;

import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A slot's turn in the hands of this process. Its lease is measured from before the store was
 * asked, so this side sees it end before the store does.
 */
final class CronTurn {
  /** Stores count in whole milliseconds, so a lease may end by so much sooner. */
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

  /** Set while the work runs: nobody interrupts what comes after it. */
  private @Nullable Thread worker;

  /**
   * What the store gave.
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

  /** It is being given back, or was: nobody renews it any more. */
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
   * Lets the lease run anew. A renewal that was on its way when the turn was given back is refused
   * too, and then nothing is lost.
   *
   * @return false: the turn is {@link #lost}, and the work was told, or it is {@link #ending}
   */
  boolean renew() {
    long asked = platform.nanos();
    if (gate.renew(token, lease)) {
      leaseEnd = asked + lease.toNanos() - STORE_GRAIN;
      return true;
    }
    if (!ending) { // set before the store is asked to release it
      lose();
    }
    return false;
  }

  /**
   * It is to stop, because this one is due: it is not renewed any more, so even if the work does
   * not care its turn is over within a lease. Until then nobody else has it.
   */
  void stopFor(Instant later) {
    successor = later;
    lose();
  }

  /** For whom it was told to stop, if that is known here. */
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

  /** From here on the thread records how it went; an interruption meant for the work is over. */
  synchronized void end() {
    worker = null;
    boolean ignored = Thread.interrupted();
  }

  /** False: another has the turn. */
  boolean release() {
    ending = true;
    return gate.release(token);
  }

  /** If it can't be given back it ends by itself. */
  void giveBack() {
    try {
      release();
    } catch (StoreException e) {
      // The next one waits until its lease ended.
    }
  }
}
