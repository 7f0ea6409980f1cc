package dev.semel.idempotency;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.internal.ClaimQuestion;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.internal.KeyClaimer;
import dev.semel.idempotency.internal.LiveSettings;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reserve, confirm, release: the same guarantee for callers that can't wrap a function. Nobody
 * renews a reservation but its owner: choose a lease as long as the work, or call {@link #renew}.
 *
 * <p>Safe for use by many threads; keep the token to confirm or release from anywhere.
 */
public final class Reservations {
  /**
   * So many reservations that took over from another are known by their tokens, the newest; see
   * {@link #release(Key, Token)}.
   */
  static final int MAX_TAKEN_OVER = 10_000;

  private final IdempotencyStore store;
  private final StatisticsStore statistics;
  private final DecisionReporter reporter;
  private final LiveSettings settings;
  private final Set<Token> takenOver;

  Reservations(
      IdempotencyStore store,
      StatisticsStore statistics,
      Maintenance maintenance,
      Set<Token> takenOver) {
    this.store = store;
    this.statistics = statistics;
    this.reporter = maintenance.reporter();
    this.settings = maintenance.settings();
    this.takenOver = takenOver;
  }

  /** For all reservations of a process. */
  static Set<Token> tokens() {
    return Collections.synchronizedSet(
        Collections.newSetFromMap(
            new LinkedHashMap<>() {
              private static final long serialVersionUID = 1L;

              @Override
              protected boolean removeEldestEntry(Map.Entry<Token, Boolean> eldest) {
                return size() > MAX_TAKEN_OVER;
              }
            }));
  }

  /** Reserves with everything at its default: granted, or why not. */
  public ClaimResult reserve(Key key) {
    return reserve(ExecutionRequest.of(key, Codec.bytes()));
  }

  /**
   * Reserves for the request's lease, unless operators set another; its codec, wait, failure policy
   * and the operation's mode have no part in this: what is reserved is always enforced.
   */
  public ClaimResult reserve(ExecutionRequest<?> request) {
    ExecutionPolicy policy = settings.of(request.key().operation()).over(request.policy());
    ClaimRequest claim = ClaimQuestion.of(request.withPolicy(policy), Token.draw()).claim();
    ClaimResult answer = store.claim(claim);
    reporter.answered(claim, answer);
    if (answer instanceof ClaimResult.Granted granted && granted.takenOver()) {
      takenOver.add(granted.token());
    }
    return answer;
  }

  /** Lets the lease run from now. False: the reservation is no longer yours. */
  public boolean renew(Key key, Token token, Duration lease) {
    return fencedUnless(store.renew(key, token, lease), key, "renew");
  }

  /** Marks it as done, with nothing to replay. False: the reservation is no longer yours. */
  public boolean confirm(Key key, Token token) {
    return confirm(key, token, Payload.EMPTY, ExecutionPolicy.defaults().retention());
  }

  /** Marks it as done. False: the reservation is no longer yours, and nothing was written. */
  public boolean confirm(Key key, Token token, Payload response, Duration retention) {
    boolean confirmed = store.complete(key, token, ExecutionEnd.completed(response), retention);
    if (confirmed) {
      takenOver.remove(token);
      FirstExecution done = written(key, token);
      reporter.confirmed(key, done.requestId(), done.attempt(), response.bytes().length);
    }
    return fencedUnless(confirmed, key, "confirm");
  }

  /** Of which attempt it was, only the record knows; that it is confirmed is known without it. */
  private FirstExecution written(Key key, Token token) {
    FirstExecution unknown = new FirstExecution("", 0, Duration.ZERO, Duration.ZERO);
    try {
      return store
          .find(key)
          .filter(record -> record.token().equals(token))
          .map(StoredRecord::original)
          .orElse(unknown);
    } catch (StoreException e) {
      return unknown;
    }
  }

  /**
   * Gives it back, so that the next one may reserve it. One that took over from another has a doubt
   * to give back: whether that one took effect is as unknown as it was, and the next one is told
   * so. By its token alone that is known in the process that reserved it; elsewhere call {@link
   * #release(Key, ClaimResult.Granted)}.
   *
   * @return false: it is no longer yours
   */
  public boolean release(Key key, Token token) {
    return release(key, token, takenOver.contains(token));
  }

  /** Gives it back from anywhere, and with it the doubt of one that took over from another. */
  public boolean release(Key key, ClaimResult.Granted granted) {
    return release(key, granted.token(), granted.takenOver());
  }

  private boolean release(Key key, Token token, boolean doubt) {
    return fencedUnless(KeyClaimer.giveBack(store, key, token, doubt), key, "release");
  }

  /** What all processes on this store counted, but for the last second. */
  public Map<StatisticsStore.Scope, DecisionCounts> stats() {
    return statistics.read();
  }

  private boolean fencedUnless(boolean done, Key key, String step) {
    if (!done) {
      reporter.fenced(key, "", 0, step);
    }
    return done;
  }
}
