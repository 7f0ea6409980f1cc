package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.Backoff;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Asks the store for a key: again where an answer was lost, elsewhere where hashes collided. */
public final class KeyClaimer {
  /** A claim whose answer was lost is asked again, with the same token, this often. */
  public static final int TRIES = 3;

  /** Claims that may have been granted unheard and are to be released; more are left in doubt. */
  static final int MAX_GIVEN_UP = 10_000;

  private static final Duration SHORTEST_LEASE = Duration.ofMillis(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final Platform platform;
  private final StoreCircuit circuit;
  private final Queue<ClaimRequest> givenUp = new ConcurrentLinkedQueue<>();

  public KeyClaimer(IdempotencyStore store, DecisionReporter reporter, Platform platform) {
    this.store = store;
    this.reporter = reporter;
    this.platform = platform;
    this.circuit = new StoreCircuit(platform);
  }

  /**
   * An answer, and when it was asked for: a lease is measured from there.
   *
   * @param also the other key that was granted with it; see {@link ExecutionRequest#also}
   * @param here the answer is this process's own, because the store is away
   */
  public record Asked(
      ClaimRequest request, ClaimResult answer, long nanos, Optional<Key> also, boolean here) {
    public static Asked of(ClaimRequest request, ClaimResult answer, long nanos) {
      return new Asked(request, answer, nanos, Optional.empty(), false);
    }

    static Asked here(ClaimRequest request, ClaimResult answer, long nanos) {
      return new Asked(request, answer, nanos, Optional.empty(), true);
    }
  }

  /**
   * Claims the request's key, or says who has it.
   *
   * @throws StoreException the store can't be asked; with the same token it may be asked again
   */
  public Asked ask(ExecutionRequest<?> request, Token token) {
    Asked asked = askMain(request, token);
    return asked.answer() instanceof ClaimResult.Granted granted && request.also().isPresent()
        ? askAlso(request.also().get(), asked, granted)
        : asked;
  }

  /**
   * The same with a token that was asked with before. One of those claims may have been granted
   * since without anyone hearing of it, and its lease runs from a moment that is not known here: so
   * what is granted now is renewed, and counts from then.
   *
   * @throws StoreException as in {@link #ask}
   */
  public Asked askAgain(ExecutionRequest<?> request, Token token) {
    while (true) {
      Asked asked = ask(request, token);
      if (!(asked.answer() instanceof ClaimResult.Granted)) {
        return asked;
      }
      long nanos = platform.nanos();
      if (renewed(asked)) {
        return new Asked(asked.request(), asked.answer(), nanos, asked.also(), false);
      }
    }
  }

  private boolean renewed(Asked asked) {
    try {
      return renew(store, asked.request(), asked.also());
    } catch (StoreException e) {
      reporter.storeFailed(asked.request().key(), asked.request().requestId(), "renew", e);
      giveUp(asked.request());
      throw e;
    }
  }

  /** Lets the lease run anew, also that of the second key. False: the token holds one no longer. */
  static boolean renew(IdempotencyStore store, ClaimRequest claim, Optional<Key> also) {
    return store.renew(claim.key(), claim.token(), claim.lease())
        && (also.isEmpty() || store.renew(also.get(), claim.token(), claim.lease()));
  }

  /** Both or neither: whoever knows only one of the two keys must still meet the other users. */
  private Asked askAlso(ExecutionRequest<?> also, Asked main, ClaimResult.Granted granted) {
    Asked second;
    try {
      second = askMain(also, granted.token());
    } catch (StoreException e) {
      giveBack(main.request(), granted);
      throw e;
    }
    if (!(second.answer() instanceof ClaimResult.Granted both)) {
      giveBack(main.request(), granted);
      return second;
    }
    ClaimResult.Granted merged =
        new ClaimResult.Granted(
            granted.token(),
            Math.max(granted.attempt(), both.attempt()),
            granted.takenOver() || both.takenOver());
    return new Asked(
        main.request(), merged, main.nanos(), Optional.of(second.request().key()), false);
  }

  /**
   * Gives a key back. Whoever took it over has a doubt to give back and not a free key: whether the
   * one before it took effect is as unknown as it was. So its lease ends now, and the next one is
   * told what it was told.
   *
   * @return false: the token no longer holds the key
   */
  public static boolean giveBack(IdempotencyStore store, Key key, Token token, boolean takenOver) {
    return takenOver ? store.renew(key, token, SHORTEST_LEASE) : store.release(key, token);
  }

  /** If it can't be given back now, it is later: nobody ran it. */
  private void giveBack(ClaimRequest claim, ClaimResult.Granted granted) {
    try {
      giveBack(store, claim.key(), claim.token(), granted.takenOver());
    } catch (StoreException e) {
      reporter.storeFailed(claim.key(), claim.requestId(), "release", e);
      giveUp(claim);
    }
  }

  private Asked askMain(ExecutionRequest<?> request, Token token) {
    Asked asked = askFor(request, request.key(), token);
    if (request.onCollision().isEmpty()) {
      return asked;
    }
    Key own = request.onCollision().get();
    if (asked.answer() instanceof ClaimResult.Granted granted && isThere(own, asked.request())) {
      // The one it collided with has expired, but this one was done before, under its own key.
      giveBack(asked.request(), granted);
      return askFor(request, own, token);
    }
    if (asked.answer() instanceof ClaimResult.Mismatch) {
      reporter.collided(request.key(), request.requestId(), own);
      return askFor(request, own, token);
    }
    return asked;
  }

  private boolean isThere(Key own, ClaimRequest granted) {
    try {
      return store.find(own).isPresent();
    } catch (StoreException e) {
      giveUp(granted);
      throw e;
    }
  }

  private Asked askFor(ExecutionRequest<?> request, Key key, Token token) {
    Asked asked = ask(request(request, key, token, request.fingerprint()));
    if (asked.answer() instanceof ClaimResult.Mismatch mismatch
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
    long nanos = platform.nanos();
    Backoff backoff = new Backoff(platform, FIRST_PAUSE, LONGEST_PAUSE);
    for (int tries = 1; ; tries++) {
      if (!circuit.allows()) {
        if (tries > 1) {
          giveUp(claim);
        }
        throw new StoreException(
            "the store is away: it failed %d times in a row and is asked again in a moment; nothing was done"
                .formatted(StoreCircuit.FAILURES));
      }
      try {
        ClaimResult answer = store.claim(claim);
        circuit.succeeded();
        return Asked.of(claim, answer, nanos);
      } catch (StoreException e) {
        circuit.failed();
        reporter.storeFailed(claim.key(), claim.requestId(), "claim", e);
        if (tries == TRIES || !backoff.pauseUntil(nanos + claim.lease().toNanos())) {
          giveUp(claim);
          throw e;
        }
      }
    }
  }

  /** It may have been granted; if so, nobody has run it and nobody will. */
  public void giveUp(ClaimRequest claim) {
    if (givenUp.size() < MAX_GIVEN_UP) {
      givenUp.add(claim);
    }
  }

  /**
   * The claim is going to be used after all, within this process.
   *
   * @return what may have been granted
   */
  public List<ClaimRequest> takeBack(Token token) {
    List<ClaimRequest> taken =
        givenUp.stream().filter(claim -> claim.token().equals(token)).toList();
    givenUp.removeAll(taken);
    return taken;
  }

  /**
   * Releases what may have been granted unheard to callers who then gave up: it would otherwise
   * look as if they had died.
   *
   * @throws StoreException the store is still away; the rest is kept for the next time
   */
  public void releaseGivenUp() {
    for (ClaimRequest claim = givenUp.peek(); claim != null; claim = givenUp.peek()) {
      boolean mayHaveTakenOver = claim.takeover() == TakeoverPolicy.RUN_AGAIN;
      giveBack(store, claim.key(), claim.token(), mayHaveTakenOver);
      givenUp.remove(claim); // by name: it may have been taken back meanwhile
    }
  }

  /** The claim for a request as it stands. */
  public static ClaimRequest request(ExecutionRequest<?> request, Token token) {
    return request(request, request.key(), token, request.fingerprint());
  }

  private static ClaimRequest request(
      ExecutionRequest<?> request, Key key, Token token, Fingerprint fingerprint) {
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
}
