package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Token;
import java.time.Duration;
import java.util.Map;

/**
 * Reserve, confirm, release: the same guarantee for callers that can't wrap a function. Nobody
 * renews a reservation but its owner: choose a lease as long as the work, or call {@link #renew}.
 *
 * <p>Safe for use by many threads; keep the token to confirm or release from anywhere.
 */
public final class Reservations {
  private final IdempotencyStore store;
  private final StatisticsStore statistics;
  private final Reporter reporter;
  private final LiveSettings settings;

  Reservations(
      IdempotencyStore store,
      StatisticsStore statistics,
      Reporter reporter,
      LiveSettings settings) {
    this.store = store;
    this.statistics = statistics;
    this.reporter = reporter;
    this.settings = settings;
  }

  /** Reserves with everything at its default: granted, or why not. */
  public Claim reserve(Key key) {
    return reserve(Request.of(key, Codec.bytes()));
  }

  /**
   * Reserves for the request's lease, unless operators set another; its codec, wait, failure policy
   * and the operation's mode have no part in this: what is reserved is always enforced.
   */
  public Claim reserve(Request<?> request) {
    Policy policy = settings.of(request.key().operation()).over(request.policy());
    ClaimRequest claim = Claims.request(request.withPolicy(policy), Token.draw());
    Claim answer = store.claim(claim);
    reporter.answered(claim, answer);
    return answer;
  }

  /** Lets the lease run from now. False: the reservation is no longer yours. */
  public boolean renew(Key key, Token token, Duration lease) {
    return fencedUnless(store.renew(key, token, lease), key, "renew");
  }

  /** Marks it as done, with nothing to replay. False: the reservation is no longer yours. */
  public boolean confirm(Key key, Token token) {
    return confirm(key, token, Payload.EMPTY, Policy.defaults().retention());
  }

  /** Marks it as done. False: the reservation is no longer yours, and nothing was written. */
  public boolean confirm(Key key, Token token, Payload response, Duration retention) {
    boolean confirmed = store.complete(key, token, Ending.completed(response), retention);
    if (confirmed) {
      reporter.confirmed(key);
    }
    return fencedUnless(confirmed, key, "confirm");
  }

  /** Gives it back, so that the next one may reserve it. False: it is no longer yours. */
  public boolean release(Key key, Token token) {
    return fencedUnless(store.release(key, token), key, "release");
  }

  /** What all processes on this store counted, but for the last second. */
  public Map<StatisticsStore.Scope, Counts> stats() {
    return statistics.read();
  }

  private boolean fencedUnless(boolean done, Key key, String step) {
    if (!done) {
      reporter.fenced(key, "", 0, step);
    }
    return done;
  }
}
