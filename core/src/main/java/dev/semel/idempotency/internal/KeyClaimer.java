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

  public KeyClaimer(ExecutionContext context) {
    this.store = context.store();
    this.reporter = context.reporter();
    this.platform = context.platform();
    this.circuit = new StoreCircuit(platform);
  }

  /**
   * Claims the request's key, or says who has it.
   *
   * @throws StoreException the store can't be asked; with the same token it may be asked again
   */
  public ClaimAnswer claim(ClaimQuestion question) {
    ClaimAnswer main = claimOne(question);
    Optional<ClaimQuestion> also = question.also();
    return main.result() instanceof ClaimResult.Granted granted && also.isPresent()
        ? claimAlso(also.get(), main, granted)
        : main;
  }

  /**
   * The same with a token that was asked with before. One of those claims may have been granted
   * since without anyone hearing of it, and its lease runs from a moment that is not known here: so
   * what is granted now is renewed, and counts from then.
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

  /** Lets the lease run anew, also that of the second key. False: the token holds one no longer. */
  static boolean renew(IdempotencyStore store, ClaimRequest claim, Optional<Key> also) {
    return store.renew(claim.key(), claim.token(), claim.lease())
        && (also.isEmpty() || store.renew(also.get(), claim.token(), claim.lease()));
  }

  /** Both or neither: a caller that knows only one of the two keys must still meet the others. */
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

  /** Asks until an answer leads to no further question. */
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
   * The request that this one collided with may have expired, while this one was done before, under
   * the key that it has to itself.
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
   * A claim that timed out may have been granted. Asked again with its token it is recognised;
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
}
