package dev.semel.idempotency;

import dev.semel.Key;
import java.util.List;
import java.util.Optional;

/**
 * One request to be executed once.
 *
 * @param fingerprints how the request is recognised; the first is stored, the others are older ways
 *     of making it under which a record of the same request may still be kept
 * @param requestId the caller's own name for this request, shown to duplicates; may be empty
 * @param onCollision the key to use instead when another request has this one; empty where that is
 *     a mismatch
 * @param also the same request by its other key, fingerprints and collision key: while one key
 *     strategy replaces another, it must not have happened under either
 */
public record Request<T>(
    Key key,
    List<Fingerprint> fingerprints,
    Codec<T> codec,
    Policy policy,
    String requestId,
    Optional<Key> onCollision,
    Optional<Request<T>> also) {
  public Request {
    fingerprints = fingerprints.isEmpty() ? List.of(Fingerprint.NONE) : List.copyOf(fingerprints);
  }

  public static <T> Request<T> of(Key key, Codec<T> codec) {
    return new Request<>(
        key, List.of(), codec, Policy.defaults(), "", Optional.empty(), Optional.empty());
  }

  public Request<T> withFingerprint(Fingerprint fingerprint) {
    return new Request<>(key, List.of(fingerprint), codec, policy, requestId, onCollision, also);
  }

  public Request<T> withFingerprints(List<Fingerprint> fingerprints) {
    return new Request<>(key, fingerprints, codec, policy, requestId, onCollision, also);
  }

  public Request<T> withPolicy(Policy policy) {
    return new Request<>(key, fingerprints, codec, policy, requestId, onCollision, also);
  }

  public Request<T> withRequestId(String requestId) {
    return new Request<>(key, fingerprints, codec, policy, requestId, onCollision, also);
  }

  public Request<T> withOnCollision(Key key) {
    return new Request<>(this.key, fingerprints, codec, policy, requestId, Optional.of(key), also);
  }

  public Request<T> withAlso(Request<T> also) {
    return new Request<>(
        key, fingerprints, codec, policy, requestId, onCollision, Optional.of(also));
  }

  public Fingerprint fingerprint() {
    return fingerprints.get(0);
  }
}
