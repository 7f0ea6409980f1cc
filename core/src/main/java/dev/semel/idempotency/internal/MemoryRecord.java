package dev.semel.idempotency.internal;

import dev.semel.FirstExecution;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A record of {@link MemoryStore}. It is immutable and compared by identity: a replacement succeeds
 * only if nobody else wrote since the record was read. Times are milliseconds on the store's clock.
 */
public final class MemoryRecord {
  /** What the objects of one record occupy beside its texts and bytes, on a 64-bit JVM. */
  private static final long FIXED_BYTES = 272L;

  public final RecordState state;
  public final Token token;
  private final Fingerprint fingerprint;
  private final String requestId;
  private final int attempt;
  private final Payload payload;
  private final long claimedAt;
  private final long leaseEndsAt;
  private final long retention;
  private final long expiresAt;

  private MemoryRecord(
      RecordState state,
      Token token,
      Fingerprint fingerprint,
      String requestId,
      int attempt,
      Payload payload,
      long claimedAt,
      long leaseEndsAt,
      long retention,
      long expiresAt) {
    this.state = state;
    this.token = token;
    this.fingerprint = fingerprint;
    this.requestId = requestId;
    this.attempt = attempt;
    this.payload = payload;
    this.claimedAt = claimedAt;
    this.leaseEndsAt = leaseEndsAt;
    this.retention = retention;
    this.expiresAt = expiresAt;
  }

  public static MemoryRecord claimed(ClaimRequest request, int attempt, long now) {
    long retention = request.retention().toMillis();
    return new MemoryRecord(
        RecordState.IN_FLIGHT,
        request.token(),
        request.fingerprint(),
        request.requestId(),
        attempt,
        Payload.EMPTY,
        now,
        now + request.lease().toMillis(),
        retention,
        now + retention);
  }

  /** A record from another store, with the rest of its times. */
  public static MemoryRecord adopted(StoredRecord brought, long now) {
    long left = brought.original().retentionLeft().toMillis();
    return new MemoryRecord(
        brought.state(),
        brought.token(),
        brought.fingerprint(),
        brought.original().requestId(),
        brought.original().attempt(),
        copy(brought.payload()),
        now - brought.original().age().toMillis(),
        now + brought.leaseLeft().toMillis(),
        left,
        now + left);
  }

  /** Restarts the retention, which is never shorter than the lease. */
  public MemoryRecord renewed(Duration lease, long now) {
    long leaseMillis = lease.toMillis();
    return new MemoryRecord(
        state,
        token,
        fingerprint,
        requestId,
        attempt,
        payload,
        claimedAt,
        now + leaseMillis,
        retention,
        now + Math.max(retention, leaseMillis));
  }

  /** Copies the bytes, because the caller may reuse its buffer. */
  public MemoryRecord ended(ExecutionEnd ending, Duration keep, long now) {
    return new MemoryRecord(
        ending.state(),
        token,
        fingerprint,
        requestId,
        attempt,
        copy(ending.payload()),
        claimedAt,
        now,
        keep.toMillis(),
        now + keep.toMillis());
  }

  /**
   * The record after a release.
   *
   * @param last the token whose repeated release still returns true; a new one fences every earlier
   *     one
   */
  public MemoryRecord released(Token last, long now) {
    return new MemoryRecord(
        RecordState.RELEASED,
        last,
        Fingerprint.NONE,
        requestId,
        attempt,
        Payload.EMPTY,
        claimedAt,
        now,
        retention,
        now + retention);
  }

  public boolean inFlightFor(Token claimant) {
    return state == RecordState.IN_FLIGHT && token.equals(claimant);
  }

  public boolean expired(long now) {
    return now >= expiresAt;
  }

  /** The record as a claim or a reader sees it, with a copy of its bytes. */
  public StoredRecord at(long now) {
    return existing(copy(payload), now);
  }

  /**
   * The record as a listing shows it, without a copy: pages of large responses are only looked at.
   */
  public StoredRecord listedAt(long now) {
    return existing(payload, now);
  }

  private StoredRecord existing(Payload shown, long now) {
    FirstExecution original =
        new FirstExecution(
            requestId,
            attempt,
            Duration.ofMillis(Math.max(0, now - claimedAt)),
            Duration.ofMillis(expiresAt - now));
    return new StoredRecord(
        state, token, fingerprint, Duration.ofMillis(leaseEndsAt - now), shown, original);
  }

  public long bytes(String keyText) {
    return FIXED_BYTES
        + keyText.length()
        + fingerprint.text().length()
        + requestId.getBytes(StandardCharsets.UTF_8).length
        + payload.bytes().length;
  }

  private static Payload copy(Payload payload) {
    return payload.bytes().length == 0
        ? payload
        : new Payload(payload.type(), payload.bytes().clone());
  }
}
