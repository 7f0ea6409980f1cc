package dev.semel.idempotency;

import dev.semel.Key;
import java.util.List;
import java.util.Optional;

/**
 * One request to an {@link Idempotency}: its key, fingerprints, codec and policy.
 *
 * @param fingerprints identify the request; the first is stored, the others are older forms under
 *     which a record of the same request may still exist
 * @param requestId the caller's name for this request, shown to duplicates; may be empty
 * @param onCollision the key to use instead when another request has this one; empty where that is
 *     a mismatch
 * @param also the same request by its other key, fingerprints and collision key: while one key
 *     strategy replaces another, it must not have happened under either
 */
public record ExecutionRequest<T>(
    Key key,
    List<Fingerprint> fingerprints,
    Codec<T> codec,
    ExecutionPolicy policy,
    String requestId,
    Optional<Key> onCollision,
    Optional<ExecutionRequest<T>> also) {
  public ExecutionRequest {
    fingerprints = fingerprints.isEmpty() ? List.of(Fingerprint.NONE) : List.copyOf(fingerprints);
  }

  public static <T> ExecutionRequest<T> of(Key key, Codec<T> codec) {
    return new ExecutionRequest<>(
        key, List.of(), codec, ExecutionPolicy.defaults(), "", Optional.empty(), Optional.empty());
  }

  public ExecutionRequest<T> withFingerprint(Fingerprint fingerprint) {
    return new ExecutionRequest<>(
        key, List.of(fingerprint), codec, policy, requestId, onCollision, also);
  }

  public ExecutionRequest<T> withFingerprints(List<Fingerprint> fingerprints) {
    return new ExecutionRequest<>(key, fingerprints, codec, policy, requestId, onCollision, also);
  }

  public ExecutionRequest<T> withPolicy(ExecutionPolicy policy) {
    return new ExecutionRequest<>(key, fingerprints, codec, policy, requestId, onCollision, also);
  }

  public ExecutionRequest<T> withRequestId(String requestId) {
    return new ExecutionRequest<>(key, fingerprints, codec, policy, requestId, onCollision, also);
  }

  public ExecutionRequest<T> withOnCollision(Key key) {
    return new ExecutionRequest<>(
        this.key, fingerprints, codec, policy, requestId, Optional.of(key), also);
  }

  public ExecutionRequest<T> withAlso(ExecutionRequest<T> also) {
    return new ExecutionRequest<>(
        key, fingerprints, codec, policy, requestId, onCollision, Optional.of(also));
  }

  public Fingerprint fingerprint() {
    return fingerprints.get(0);
  }
}
