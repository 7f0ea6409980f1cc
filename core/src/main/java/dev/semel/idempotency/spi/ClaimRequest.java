package dev.semel.idempotency.spi;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.PrintableText;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Everything a store needs to decide a claim in one step. Durations are relative: the store's clock
 * decides.
 *
 * @param requestId the caller's own name for this request, shown to duplicates; may be empty
 */
public record ClaimRequest(
    Key key,
    Token token,
    Fingerprint fingerprint,
    Duration lease,
    Duration retention,
    TakeoverPolicy takeover,
    String requestId) {
  public static final Duration MAX_LEASE = Duration.ofHours(24);
  public static final Duration MAX_RETENTION = Duration.ofDays(3650);
  public static final int MAX_REQUEST_ID_BYTES = 128;

  public ClaimRequest {
    checkLease(lease);
    checkRetention(retention, lease);
    if (requestId.getBytes(StandardCharsets.UTF_8).length > MAX_REQUEST_ID_BYTES
        || !PrintableText.isSafe(requestId)) {
      throw new InvalidInput(
          "the request id %s is not valid: at most %d bytes, no control characters"
              .formatted(PrintableText.quoted(requestId), MAX_REQUEST_ID_BYTES));
    }
  }

  public static void checkLease(Duration lease) {
    if (lease.toMillis() < 1 || lease.compareTo(MAX_LEASE) > 0) {
      throw new InvalidInput(
          "a lease lasts from 1 ms to %d h, not %s".formatted(MAX_LEASE.toHours(), lease));
    }
  }

  /** A record that vanished before its lease ended would let a second claimant in unseen. */
  public static void checkRetention(Duration retention, Duration lease) {
    if (retention.compareTo(lease) < 0 || retention.compareTo(MAX_RETENTION) > 0) {
      throw new InvalidInput(
          "a record is kept from its lease (%s) to %d days, not %s"
              .formatted(lease, MAX_RETENTION.toDays(), retention));
    }
  }
}
