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
 * Reserves, confirms and releases keys: the same guarantee as {@link Idempotency} for callers that
 * can't wrap a function. Nothing renews a reservation automatically: choose a lease as long as the
 * work, or call {@link #renew}.
 *
 * <p>Safe for use by many threads; keep the token to confirm or release from anywhere.
 */
public final class Reservations {
  /**
   * How many tokens of reservations that took over from another claim are remembered: the newest;
   * see {@link #release(Key, Token)}.
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

  /** The set for all reservations of a process. */
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

  /** Reserves with default settings. Returns a grant, or the reason why not. */
  public ClaimResult reserve(Key key) {
    return reserve(ExecutionRequest.of(key, Codec.bytes()));
  }

  /**
   * Reserves for the request's lease, unless operators set another. Its codec, wait and failure
   * policy and the operation's mode do not apply: a reservation is always enforced.
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

  /** Restarts the lease from now. False: the reservation is no longer yours. */
  public boolean renew(Key key, Token token, Duration lease) {
    return fencedUnless(store.renew(key, token, lease), key, "renew");
  }

  /** Marks the work as done, with nothing to replay. False: the reservation is no longer yours. */
  public boolean confirm(Key key, Token token) {
    return confirm(key, token, Payload.EMPTY, ExecutionPolicy.defaults().retention());
  }

  /** Marks the work as done. False: the reservation is no longer yours, and nothing was written. */
  public boolean confirm(Key key, Token token, Payload response, Duration retention) {
    boolean confirmed = store.complete(key, token, ExecutionEnd.completed(response), retention);
    if (confirmed) {
      takenOver.remove(token);
      FirstExecution done = written(key, token);
      reporter.confirmed(key, done.requestId(), done.attempt(), response.bytes().length);
    }
    return fencedUnless(confirmed, key, "confirm");
  }

  /** Only the record knows the attempt; without it the confirmation still holds. */
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
   * Releases the key, so that the next caller may reserve it. A reservation that took over keeps
   * its doubt: whether the earlier one took effect is still unknown, so the next claim meets that
   * doubt. Only the process that reserved knows a takeover from the token alone; elsewhere call
   * {@link #release(Key, ClaimResult.Granted)}.
   *
   * @return false: the reservation is no longer yours
   */
  public boolean release(Key key, Token token) {
    return release(key, token, takenOver.contains(token));
  }

  /** Releases the key from any process; the grant says whether a takeover's doubt remains. */
  public boolean release(Key key, ClaimResult.Granted granted) {
    return release(key, granted.token(), granted.takenOver());
  }

  private boolean release(Key key, Token token, boolean doubt) {
    return fencedUnless(KeyClaimer.giveBack(store, key, token, doubt), key, "release");
  }

  /** The counts of all processes on this store, except for the last second. */
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
