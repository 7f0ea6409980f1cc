package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.Optional;

/**
 * A key that this process holds. Its lease counts on the monotonic clock from before the store was
 * asked, so this side always sees it end before the store does.
 */
public final class HeldKey implements Execution {
  /** Stores count in whole milliseconds, so a lease may end this much earlier. */
  private static final long STORE_GRAIN = Duration.ofMillis(1).toNanos();

  private final Platform platform;
  private final ClaimAnswer answer;
  private final ClaimRequest claim;
  private final ClaimResult.Granted granted;
  private final ExecutionPolicy policy;
  private final long heldUntilAtMost;
  private volatile long leaseEnd;
  private volatile boolean lost;
  private volatile boolean ending;

  /** When to renew next; only {@link LeaseRenewals} reads and writes it. */
  volatile long renewAt;

  /** A renewal is in flight; only {@link LeaseRenewals} reads and writes it. */
  volatile boolean renewing;

  public HeldKey(
      Platform platform, ClaimAnswer answer, ClaimResult.Granted granted, ExecutionPolicy policy) {
    this.platform = platform;
    this.answer = answer;
    this.claim = answer.request();
    this.granted = granted;
    this.policy = policy;
    this.heldUntilAtMost = answer.nanos() + policy.maxHold().toNanos();
    extended(answer.nanos());
  }

  ClaimRequest claim() {
    return claim;
  }

  /** The second key that is held with it. */
  Optional<Key> also() {
    return answer.also();
  }

  /** True: held within this process only, because the store is away. */
  boolean here() {
    return answer.here();
  }

  /** The store restarted the lease; it was asked at {@code askedNanos}. */
  void extended(long askedNanos) {
    long lease = claim.lease().toNanos();
    leaseEnd = askedNanos + lease - STORE_GRAIN;
    renewAt = askedNanos + lease / 10 * 7;
  }

  void lose() {
    lost = true;
  }

  /** The work is over and its end is being recorded; that step also detects a lost key. */
  void ending() {
    ending = true;
  }

  boolean isEnding() {
    return ending;
  }

  long leaseEnd() {
    return leaseEnd;
  }

  boolean mayBeRenewed(long now) {
    return now < heldUntilAtMost;
  }

  public Duration lease() {
    return claim.lease();
  }

  public String requestId() {
    return claim.requestId();
  }

  @Override
  public Key key() {
    return claim.key();
  }

  @Override
  public int attempt() {
    return granted.attempt();
  }

  @Override
  public boolean takenOver() {
    return granted.takenOver();
  }

  @Override
  public Token token() {
    return granted.token();
  }

  @Override
  public ExecutionPolicy policy() {
    return policy;
  }

  @Override
  public boolean held() {
    return !lost && platform.nanos() < leaseEnd;
  }

  /** An identity hash would differ from run to run, and with it the order of renewals. */
  @Override
  public int hashCode() {
    return key().hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }
}
