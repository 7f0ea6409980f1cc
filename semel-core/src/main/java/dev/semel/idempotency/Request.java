package dev.semel.idempotency;

import dev.semel.Key;
import java.util.List;

/**
 * One request to be executed once.
 *
 * @param fingerprints how the request is recognised; the first is stored, the others are older ways
 *     of making it under which a record of the same request may still be kept
 * @param requestId the caller's own name for this request, shown to duplicates; may be empty
 */
public record Request<T>(
    Key key, List<Fingerprint> fingerprints, Codec<T> codec, Policy policy, String requestId) {
  public Request {
    fingerprints = fingerprints.isEmpty() ? List.of(Fingerprint.NONE) : List.copyOf(fingerprints);
  }

  public static <T> Request<T> of(Key key, Codec<T> codec) {
    return new Request<>(key, List.of(), codec, Policy.defaults(), "");
  }

  public Request<T> withFingerprint(Fingerprint fingerprint) {
    return new Request<>(key, List.of(fingerprint), codec, policy, requestId);
  }

  public Request<T> withFingerprints(List<Fingerprint> fingerprints) {
    return new Request<>(key, fingerprints, codec, policy, requestId);
  }

  public Request<T> withPolicy(Policy policy) {
    return new Request<>(key, fingerprints, codec, policy, requestId);
  }

  public Request<T> withRequestId(String requestId) {
    return new Request<>(key, fingerprints, codec, policy, requestId);
  }

  public Request<T> withKey(Key key) {
    return new Request<>(key, fingerprints, codec, policy, requestId);
  }

  public Fingerprint fingerprint() {
    return fingerprints.get(0);
  }
}
