package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.loop.Backoff;
import java.time.Duration;

/** Asks the store for a key: again where an answer was lost, elsewhere where hashes collided. */
final class Claims {
  /** A claim whose answer was lost is asked again, with the same token, this often. */
  static final int TRIES = 3;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final IdempotencyStore store;
  private final Reporter reporter;

  Claims(IdempotencyStore store, Reporter reporter) {
    this.store = store;
    this.reporter = reporter;
  }

  /** A store's answer, and when it was asked: a lease is measured from there. */
  record Asked(ClaimRequest request, Claim answer, long nanos) {}

  Asked ask(Request<?> request, Token token) {
    Asked asked = askFor(request, request.key(), token);
    if (request.onCollision().isEmpty()) {
      return asked;
    }
    Key own = request.onCollision().get();
    if (asked.answer() instanceof Claim.Granted && store.find(own).isPresent()) {
      // The one it collided with has expired, but this one was done before, under its own key.
      store.release(request.key(), token);
      return askFor(request, own, token);
    }
    if (asked.answer() instanceof Claim.Mismatch) {
      reporter.collided(request.key(), request.requestId(), own);
      return askFor(request, own, token);
    }
    return asked;
  }

  private Asked askFor(Request<?> request, Key key, Token token) {
    Asked asked = ask(request(request, key, token, request.fingerprint()));
    if (asked.answer() instanceof Claim.Mismatch mismatch
        && request.fingerprints().contains(mismatch.stored())) {
      return ask(request(request, key, token, mismatch.stored())); // an older form of the same
    }
    return asked;
  }

  /**
   * A claim that timed out may have been granted. Asked again with its token it is recognised;
   * given up, it would leave a key in doubt that nobody ran.
   */
  private Asked ask(ClaimRequest claim) {
    long nanos = System.nanoTime();
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    for (int tries = 1; ; tries++) {
      try {
        return new Asked(claim, store.claim(claim), nanos);
      } catch (StoreException e) {
        reporter.storeFailed(claim.key(), claim.requestId(), "claim", e);
        if (tries == TRIES || !backoff.pauseUntil(nanos + claim.lease().toNanos())) {
          throw e;
        }
      }
    }
  }

  /** The claim for a request as it stands. */
  static ClaimRequest request(Request<?> request, Token token) {
    return request(request, request.key(), token, request.fingerprint());
  }

  private static ClaimRequest request(
      Request<?> request, Key key, Token token, Fingerprint fingerprint) {
    Policy policy = request.policy();
    return new ClaimRequest(
        key,
        token,
        fingerprint,
        policy.lease(),
        policy.retention(),
        policy.takeover(),
        request.requestId());
  }
}
