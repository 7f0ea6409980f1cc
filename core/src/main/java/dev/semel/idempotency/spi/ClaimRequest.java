package dev.semel.idempotency.spi;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.internal.ClaimTimes;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Everything a store needs to decide a claim in one step. Durations are relative: the store's clock
 * decides.
 *
 * @param requestId the caller's name for this request, shown to duplicates; may be empty
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
    ClaimTimes.checkLease(lease);
    ClaimTimes.checkRetention(retention, lease);
    if (requestId.getBytes(StandardCharsets.UTF_8).length > MAX_REQUEST_ID_BYTES
        || !PrintableText.isSafe(requestId)) {
      throw new InvalidInput(
          "the request id %s is not valid: at most %d bytes, no control characters"
              .formatted(PrintableText.quoted(requestId), MAX_REQUEST_ID_BYTES));
    }
  }
}
