package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.spi.ClaimRequest;
import java.util.Optional;

/**
 * What a store is asked for a request, and what it could be asked next. Pure.
 *
 * @param key the request's key, or the one that it has to itself where that one is another's
 * @param fingerprint the request's newest, or an older form of it
 */
public record ClaimQuestion(
    ExecutionRequest<?> request, Token token, Key key, Fingerprint fingerprint) {
  /** The first one. */
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

  /** For a record that has this fingerprint; empty: it is that of another request. */
  public Optional<ClaimQuestion> inOlderForm(Fingerprint stored) {
    boolean older =
        fingerprint.equals(request.fingerprint())
            && !stored.equals(fingerprint)
            && request.fingerprints().contains(stored);
    return older ? Optional.of(new ClaimQuestion(request, token, key, stored)) : Optional.empty();
  }

  /** Under the key that no other request shares; empty: it has none, or this is it. */
  Optional<ClaimQuestion> apart() {
    Optional<Key> own = request.onCollision();
    return own.isEmpty() || own.get().equals(key)
        ? Optional.empty()
        : Optional.of(new ClaimQuestion(request, token, own.get(), request.fingerprint()));
  }

  /** By the request's other key; see {@link ExecutionRequest#also}. */
  Optional<ClaimQuestion> also() {
    return request.also().isEmpty()
        ? Optional.empty()
        : Optional.of(of(request.also().get(), token));
  }
}
