package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Claims a key at the store: again where an answer was lost, under another key where hashes
 * collided.
 */
public final class KeyClaimer {
  /** How often a claim is sent in all when its answer is lost, with the same token. */
  public static final int TRIES = 3;

  /**
   * How many claims without an answer, which may have been granted, are remembered for release;
   * further ones stay in doubt.
   */
  static final int MAX_GIVEN_UP = 10_000;

  private static final Duration SHORTEST_LEASE = Duration.ofMillis(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final Platform platform;
  private final StoreCircuit circuit;
  private final Queue<ClaimRequest> givenUp = new ConcurrentLinkedQueue<>();

  public KeyClaimer(ExecutionContext context) {
    this.store = context.store();
    this.reporter = context.reporter();
    this.platform = context.platform();
    this.circuit = new StoreCircuit(platform);
  }

  /**
   * Claims the request's key; the answer may say that another caller has it.
   *
   * @throws StoreException the store does not answer; it may be asked again with the same token
   */
  public ClaimAnswer claim(ClaimQuestion question) {
    ClaimAnswer main = claimOne(question);
    Optional<ClaimQuestion> also = question.also();
    return main.result() instanceof ClaimResult.Granted granted && also.isPresent()
        ? claimAlso(also.get(), main, granted)
        : main;
  }

  /**
   * Claims with a token that was used before. One of the earlier claims may have been granted
   * without an answer, and its lease started at an unknown time. So a grant is renewed, and its
   * lease counts from then.
   *
   * @throws StoreException as in {@link #claim}
   */
  public ClaimAnswer claimAgain(ClaimQuestion question) {
    while (true) {
      ClaimAnswer answer = claim(question);
      if (!(answer.result() instanceof ClaimResult.Granted)) {
        return answer;
      }
      long nanos = platform.nanos();
      if (renewed(answer)) {
        return answer.renewed(nanos);
      }
    }
  }

  private boolean renewed(ClaimAnswer answer) {
    ClaimRequest claim = answer.request();
    try {
      return renew(store, claim, answer.also());
    } catch (StoreException e) {
      reporter.storeFailed(claim.key(), claim.requestId(), "renew", e);
      giveUp(claim);
      throw e;
    }
  }

  /**
   * Restarts the lease, also that of the second key. False: the token no longer holds one of them.
   */
  static boolean renew(IdempotencyStore store, ClaimRequest claim, Optional<Key> also) {
    return store.renew(claim.key(), claim.token(), claim.lease())
        && (also.isEmpty() || store.renew(also.get(), claim.token(), claim.lease()));
  }

  /**
   * Claims both keys or neither: a caller that knows only one of them must still meet the other
   * callers.
   */
  private ClaimAnswer claimAlso(ClaimQuestion also, ClaimAnswer main, ClaimResult.Granted granted) {
    ClaimAnswer second;
    try {
      second = claimOne(also);
    } catch (StoreException e) {
      giveBack(main.request(), granted);
      throw e;
    }
    if (!(second.result() instanceof ClaimResult.Granted both)) {
      giveBack(main.request(), granted);
      return second;
    }
    return main.with(
        new ClaimResult.Granted(
            granted.token(),
            Math.max(granted.attempt(), both.attempt()),
            granted.takenOver() || both.takenOver()),
        second.request().key());
  }

  /**
   * Releases a key. A claim that took over keeps its doubt: whether the earlier attempt took effect
   * is still unknown. So its lease ends now, and the next caller gets the same answer as it did.
   *
   * @return false: the token no longer holds the key
   */
  public static boolean giveBack(IdempotencyStore store, Key key, Token token, boolean takenOver) {
    return takenOver ? store.renew(key, token, SHORTEST_LEASE) : store.release(key, token);
  }

  /** If the key can't be released now, it is released later: nobody ran it. */
  private void giveBack(ClaimRequest claim, ClaimResult.Granted granted) {
    try {
      giveBack(store, claim.key(), claim.token(), granted.takenOver());
    } catch (StoreException e) {
      reporter.storeFailed(claim.key(), claim.requestId(), "release", e);
      giveUp(claim);
    }
  }

  /** Claims until an answer leads to no further claim. */
  private ClaimAnswer claimOne(ClaimQuestion first) {
    ClaimQuestion question = first;
    while (true) {
      ClaimAnswer answer = send(question.claim());
      Optional<ClaimQuestion> next = next(question, answer);
      if (next.isEmpty()) {
        return answer;
      }
      question = next.get();
    }
  }

  private Optional<ClaimQuestion> next(ClaimQuestion question, ClaimAnswer answer) {
    return switch (answer.result()) {
      case ClaimResult.Granted g -> afterGrant(question, answer.request(), g);
      case ClaimResult.Mismatch m -> afterMismatch(question, m);
      case ClaimResult.Replay r -> Optional.empty();
      case ClaimResult.Failed f -> Optional.empty();
      case ClaimResult.InFlight f -> Optional.empty();
      case ClaimResult.InDoubt d -> Optional.empty();
    };
  }

  /**
   * The colliding request may have expired, and this one may have been done before under its
   * collision key.
   */
  private Optional<ClaimQuestion> afterGrant(
      ClaimQuestion question, ClaimRequest claim, ClaimResult.Granted granted) {
    Optional<ClaimQuestion> apart = question.apart();
    if (apart.isEmpty() || !isThere(apart.get().key(), claim)) {
      return Optional.empty();
    }
    giveBack(claim, granted);
    return apart;
  }

  private Optional<ClaimQuestion> afterMismatch(
      ClaimQuestion question, ClaimResult.Mismatch mismatch) {
    Optional<ClaimQuestion> older = question.inOlderForm(mismatch.stored());
    if (older.isPresent()) {
      return older;
    }
    Optional<ClaimQuestion> apart = question.apart();
    if (apart.isPresent()) {
      reporter.collided(question.key(), question.request().requestId(), apart.get().key());
    }
    return apart;
  }

  private boolean isThere(Key own, ClaimRequest granted) {
    try {
      return store.find(own).isPresent();
    } catch (StoreException e) {
      giveUp(granted);
      throw e;
    }
  }

  /**
   * A claim that timed out may have been granted. Repeated with its token, the store recognises it;
   * given up, it would leave a key in doubt that nobody ran.
   */
  private ClaimAnswer send(ClaimRequest claim) {
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
        ClaimResult result = store.claim(claim);
        circuit.succeeded();
        return ClaimAnswer.of(claim, result, nanos);
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

  /** Remembers a claim that may have been granted; if so, nobody has run it and nobody will. */
  public void giveUp(ClaimRequest claim) {
    if (givenUp.size() < MAX_GIVEN_UP) {
      givenUp.add(claim);
    }
  }

  /**
   * Takes a given-up claim back, because this process uses it after all.
   *
   * @return the claims that may have been granted
   */
  public List<ClaimRequest> takeBack(Token token) {
    List<ClaimRequest> taken =
        givenUp.stream().filter(claim -> claim.token().equals(token)).toList();
    givenUp.removeAll(taken);
    return taken;
  }

  /**
   * Releases claims that may have been granted to callers that gave up; otherwise these callers
   * would look as if they had died.
   *
   * @throws StoreException the store is still away; the rest is kept for the next time
   */
  public void releaseGivenUp() {
    for (ClaimRequest claim = givenUp.peek(); claim != null; claim = givenUp.peek()) {
      boolean mayHaveTakenOver = claim.takeover() == TakeoverPolicy.RUN_AGAIN;
      giveBack(store, claim.key(), claim.token(), mayHaveTakenOver);
      givenUp.remove(claim); // not poll(): it may have been taken back meanwhile
    }
  }
}
