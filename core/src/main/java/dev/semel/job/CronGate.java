package dev.semel.job;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The keys of a cron: one per slot, and {@code operation:running}. The process that runs a slot
 * holds the latter; its record names that slot, even after the release.
 */
final class CronGate {
  private static final String RUNNING = "running";

  private final IdempotencyStore store;
  private final Operation operation;
  private final Key key;

  CronGate(IdempotencyStore store, Operation operation) {
    this.store = store;
    this.operation = operation;
    this.key = new Key(Tenant.DEFAULT, operation, RUNNING);
  }

  static String id(Instant slot) {
    return OffsetDateTime.ofInstant(slot, ZoneOffset.UTC).toString();
  }

  static Instant slot(String id) {
    return OffsetDateTime.parse(id).toInstant();
  }

  Key key() {
    return key;
  }

  Key key(Instant slot) {
    return new Key(Tenant.DEFAULT, operation, id(slot));
  }

  Optional<StoredRecord> find(Instant slot) {
    return store.find(key(slot));
  }

  /**
   * Asks for the turn. A holder whose lease ended has lost the turn: how its slot ended must not
   * stop the next slot.
   */
  ClaimResult ask(Instant slot, Token token, ExecutionPolicy policy) {
    return store.claim(
        new ClaimRequest(
            key,
            token,
            Fingerprint.NONE,
            policy.lease(),
            policy.retention(),
            TakeoverPolicy.RUN_AGAIN,
            id(slot)));
  }

  /** The slot that runs now, or ran last. */
  Optional<Instant> inside() {
    return store.find(key).map(e -> slot(e.original().requestId()));
  }

  boolean renew(Token token, Duration lease) {
    return store.renew(key, token, lease);
  }

  boolean release(Token token) {
    return store.release(key, token);
  }
}
