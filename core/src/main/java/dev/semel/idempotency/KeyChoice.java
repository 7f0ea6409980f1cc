package dev.semel.idempotency;

import java.util.List;

/**
 * The key that a {@link KeyStrategy} gives to one request.
 *
 * @param id the key's id
 * @param fingerprints the fingerprints to compare under this id, because several requests may share
 *     the id; empty: use the operation's
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
