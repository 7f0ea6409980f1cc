package dev.semel.idempotency;

import java.util.List;

/**
 * How one request is keyed.
 *
 * @param id the key's id
 * @param fingerprints those that must be compared under this id, because the id alone may be
 *     shared; empty where the caller's own do
 * @param collisionId the id to use instead when the fingerprints show that another request has this
 *     one; empty where a mismatch is the caller's mistake
 */
public record KeyChoice(String id, List<Fingerprint> fingerprints, String collisionId) {
  public KeyChoice {
    fingerprints = List.copyOf(fingerprints);
  }

  public static KeyChoice of(String id) {
    return new KeyChoice(id, List.of(), "");
  }
}
