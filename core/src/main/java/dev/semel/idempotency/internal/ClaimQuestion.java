package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.spi.ClaimRequest;
import java.util.Optional;

/**
 * One claim of a request, and which claims may follow. Pure.
 *
 * @param key the request's key, or its collision key where another request has that one
 * @param fingerprint the request's newest, or an older form of it
 */
public record ClaimQuestion(
    ExecutionRequest<?> request, Token token, Key key, Fingerprint fingerprint) {
  /** The first claim. */
  public static ClaimQuestion of(ExecutionRequest<?> request, Token token) {
    return new ClaimQuestion(request, token, request.key(), request.fingerprint());
  }

  public ClaimRequest claim() {
    ExecutionPolicy policy = request.policy();
    return new ClaimRequest(
        key,
        token,
        fingerprint,
        policy.lease(),
        policy.retention(),
        policy.takeover(),
        request.requestId());
  }

  /**
   * The claim with the older form of the fingerprint that the record has; empty: the record is that
   * of another request.
   */
  public Optional<ClaimQuestion> inOlderForm(Fingerprint stored) {
    boolean older =
        fingerprint.equals(request.fingerprint())
            && !stored.equals(fingerprint)
            && request.fingerprints().contains(stored);
    return older ? Optional.of(new ClaimQuestion(request, token, key, stored)) : Optional.empty();
  }

  /**
   * The claim of the collision key, which no other request shares; empty: there is none, or this is
   * it.
   */
  Optional<ClaimQuestion> apart() {
    Optional<Key> own = request.onCollision();
    return own.isEmpty() || own.get().equals(key)
        ? Optional.empty()
        : Optional.of(new ClaimQuestion(request, token, own.get(), request.fingerprint()));
  }

  /** The claim of the request's other key; see {@link ExecutionRequest#also}. */
  Optional<ClaimQuestion> also() {
    return request.also().isEmpty()
        ? Optional.empty()
        : Optional.of(of(request.also().get(), token));
  }
}
