package dev.semel.idempotency.internal;

import dev.semel.InvalidInput;
import dev.semel.idempotency.spi.ClaimRequest;
import java.time.Duration;

/** Checks the lease and the retention of a claim. */
public final class ClaimTimes {
  private ClaimTimes() {}

  public static void checkLease(Duration lease) {
    if (lease.toMillis() < 1 || lease.compareTo(ClaimRequest.MAX_LEASE) > 0) {
      throw new InvalidInput(
          "a lease lasts from 1 ms to %d h, not %s"
              .formatted(ClaimRequest.MAX_LEASE.toHours(), lease));
    }
  }

  /** A record that vanished before its lease ended would let a second claimant in unnoticed. */
  public static void checkRetention(Duration retention, Duration lease) {
    if (retention.compareTo(lease) < 0 || retention.compareTo(ClaimRequest.MAX_RETENTION) > 0) {
      throw new InvalidInput(
          "a record is kept from its lease (%s) to %d days, not %s"
              .formatted(lease, ClaimRequest.MAX_RETENTION.toDays(), retention));
    }
  }
}
