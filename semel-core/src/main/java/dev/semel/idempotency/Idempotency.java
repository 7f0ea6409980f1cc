package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Original;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.EventListener;
import dev.semel.loop.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * Executes work once per key: claim, run, complete.
 *
 * <p>Guarantee: of all who ask for a key, in whatever process, one runs; the others get its
 * response, or are told why not. A crash leaves the claim behind: once its lease ended, callers are
 * told that the outcome is in doubt, or run again, as the {@link Policy} says. Work whose effects
 * live in one SQL database can do better: see same-transaction mode in semel-jdbc.
 *
 * <p>Safe for use by many threads. Close it to hand over the last counts and events; the store is
 * not closed.
 */
public final class Idempotency implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Upkeep upkeep;
  private final IdempotencyStore store;
  private final StatisticsStore statistics;
  private final Reporter reporter;
  private final Claims claims;
  private final Renewals renewals;
  private final Flights flights = new Flights();

  /**
   * Executions on this store.
   *
   * @param listener hears of every decision of this process, beside the store's event log
   */
  public Idempotency(Store store, EventListener listener) {
    this.upkeep = Upkeep.start(store, listener);
    this.store = store.idempotency();
    this.statistics = store.statistics();
    this.reporter = upkeep.reporter();
    this.claims = new Claims(this.store, reporter);
    this.renewals = new Renewals(this.store, reporter);
  }

  /** Executes with everything at its default. */
  public <T, X extends Exception> Outcome<T> execute(
      Key key, Fingerprint fingerprint, Codec<T> codec, Work<T, X> work) throws X {
    return execute(Request.of(key, codec).withFingerprint(fingerprint), work);
  }

  /**
   * Runs the work unless it was done before. What the work throws is thrown on, and a retry runs,
   * unless the policy calls the failure final. An {@link Error} is treated as a crash.
   *
   * @throws StoreException when the store can't be asked; the work has not run
   */
  public <T, X extends Exception> Outcome<T> execute(Request<T> request, Work<T, X> work) throws X {
    return request.policy().waitUpTo().isZero()
        ? proceed(request, claims.ask(request, Token.draw()), work).outcome()
        : executeOrWait(request, work);
  }

  /** Makes a plain function idempotent. */
  public <R, T, X extends Exception> IdempotentFunction<R, T, X> decorate(
      Rules<R, T> rules, IdempotentFunction.Handler<R, T, X> handler) {
    return new IdempotentFunction<>(this, rules, handler);
  }

  /** The same for callers that can't wrap a function. */
  public Reservations reservations() {
    return new Reservations(store, statistics, reporter);
  }

  /** For steps of which the next may start only after the last one ended. */
  public Sequence sequence() {
    return new Sequence(this, store, reporter, renewals);
  }

  /** What the caller gets, and what those may have who wait with it. */
  private record Done<T>(Outcome<T> outcome, Optional<Claim> shared) {
    static <T> Done<T> alone(Outcome<T> outcome) {
      return new Done<>(outcome, Optional.empty());
    }
  }

  private <T, X extends Exception> Outcome<T> executeOrWait(Request<T> request, Work<T, X> work)
      throws X {
    long deadline = System.nanoTime() + request.policy().waitUpTo().toNanos();
    Flights.Flight flight = flights.join(request.key(), request.fingerprint());
    try {
      if (!flight.takeTurn(deadline)) {
        return giveUp(request, flight);
      }
      try {
        return withTurn(request, flight, deadline, work);
      } finally {
        flight.giveTurn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return giveUp(request, flight);
    } finally {
      flights.leave(request.key(), request.fingerprint(), flight);
    }
  }

  private <T, X extends Exception> Outcome<T> withTurn(
      Request<T> request, Flights.Flight flight, long deadline, Work<T, X> work)
      throws X, InterruptedException {
    Claim settled = flight.settled();
    if (settled != null) {
      return shared(request, settled);
    }
    Token token = Token.draw();
    while (true) {
      Claims.Asked asked = claims.ask(request, token);
      if (asked.answer() instanceof Claim.InFlight inFlight) {
        flight.saw(inFlight);
        if (flight.pauseUntil(deadline)) {
          continue;
        }
      }
      if (asked.answer() instanceof Claim.Granted granted) {
        flight.saw(
            new Claim.InFlight(
                request.policy().lease(),
                new Original(
                    request.requestId(),
                    granted.attempt(),
                    Duration.ZERO,
                    request.policy().retention())));
      }
      Done<T> done = proceed(request, asked, work);
      done.shared().ifPresent(flight::settle);
      return done.outcome();
    }
  }

  /** The wait is over; what is known of the holder comes from whoever had the turn. */
  private <T> Outcome<T> giveUp(Request<T> request, Flights.Flight flight) {
    Claim settled = flight.settled();
    return shared(request, settled != null ? settled : flight.holder());
  }

  /** An answer that another local caller got for the same request. */
  private <T> Outcome<T> shared(Request<T> request, Claim answer) {
    ClaimRequest claim = Claims.request(request, Token.draw());
    reporter.answered(claim, answer);
    return answered(request, answer);
  }

  private <T, X extends Exception> Done<T> proceed(
      Request<T> request, Claims.Asked asked, Work<T, X> work) throws X {
    reporter.answered(asked.request(), asked.answer());
    if (asked.answer() instanceof Claim.Granted granted) {
      Holding holding =
          new Holding(asked.request(), granted, asked.nanos(), request.policy().maxHold());
      return run(request, holding, work);
    }
    boolean ended =
        asked.answer() instanceof Claim.Replay || asked.answer() instanceof Claim.Failed;
    return new Done<>(
        answered(request, asked.answer()), ended ? Optional.of(asked.answer()) : Optional.empty());
  }

  static <T> Outcome<T> answered(Request<T> request, Claim answer) {
    return switch (answer) {
      case Claim.Granted g -> throw new IllegalStateException("a grant is to be run");
      case Claim.Replay r ->
          new Outcome.Replayed<>(request.codec().read(r.response()), r.original());
      case Claim.Failed f -> new Outcome.Failed<>(f.failure(), Optional.empty());
      case Claim.InFlight f -> new Outcome.InFlight<>(f.left(), f.original());
      case Claim.Mismatch m -> new Outcome.Mismatch<>(m.stored(), m.original());
      case Claim.InDoubt d -> new Outcome.InDoubt<>(d.original());
    };
  }

  private <T, X extends Exception> Done<T> run(Request<T> request, Holding holding, Work<T, X> work)
      throws X {
    renewals.add(holding);
    try {
      long started = System.nanoTime();
      T result = work.run(holding);
      return succeeded(request, holding, result, Duration.ofNanos(System.nanoTime() - started));
    } catch (Exception e) {
      if (request.policy().onFailure().isFinal(e)) {
        return failed(request, holding, e);
      }
      release(holding, e);
      throw e;
    } finally {
      renewals.remove(holding);
    }
  }

  private <T> Done<T> succeeded(Request<T> request, Holding holding, T result, Duration took) {
    Ending ending = Ending.of(request, result);
    boolean recorded = record(holding, ending, request.policy().retention());
    Outcome<T> outcome = new Outcome.Executed<>(result, holding.attempt(), recorded);
    if (!recorded) {
      reporter.unrecorded(holding.key(), holding.requestId(), holding.attempt());
      return Done.alone(outcome);
    }
    reporter.completed(
        holding.key(),
        holding.requestId(),
        holding.attempt(),
        took,
        ending.payload().bytes().length);
    return new Done<>(outcome, Optional.of(shareable(request, holding, ending)));
  }

  private <T> Done<T> failed(Request<T> request, Holding holding, Exception cause) {
    Ending ending = Ending.failed(Failure.of(cause));
    Outcome<T> outcome = new Outcome.Failed<>(Failure.of(cause), Optional.of(cause));
    if (!record(holding, ending, request.policy().retention())) {
      reporter.unrecorded(holding.key(), holding.requestId(), holding.attempt());
      return Done.alone(outcome);
    }
    reporter.failureStored(
        holding.key(), holding.requestId(), holding.attempt(), cause.getClass().getName());
    return new Done<>(outcome, Optional.of(shareable(request, holding, ending)));
  }

  private static Claim shareable(Request<?> request, Holding holding, Ending ending) {
    Original original =
        new Original(
            holding.requestId(), holding.attempt(), Duration.ZERO, request.policy().retention());
    return ending.state() == State.COMPLETED
        ? new Claim.Replay(ending.payload(), original)
        : new Claim.Failed(Failure.from(ending.payload()), original);
  }

  /** Tried until the lease ends; after that another may have the key, and the token decides. */
  private boolean record(Holding holding, Ending ending, Duration retention) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    while (true) {
      try {
        if (store.complete(holding.key(), holding.token(), ending, retention)) {
          return true;
        }
        reporter.fenced(holding.key(), holding.requestId(), holding.attempt(), "complete");
        return false;
      } catch (StoreException e) {
        reporter.storeFailed(holding.key(), holding.requestId(), "complete", e);
        if (!backoff.pauseUntil(holding.leaseEnd())) {
          return false;
        }
      }
    }
  }

  /** If it can't be given back, the lease ends by itself: nothing is lost but time. */
  private void release(Holding holding, Exception cause) {
    String kind = cause.getClass().getName();
    try {
      if (store.release(holding.key(), holding.token())) {
        reporter.released(holding.key(), holding.requestId(), holding.attempt(), kind);
      } else {
        reporter.fenced(holding.key(), holding.requestId(), holding.attempt(), "release");
      }
    } catch (StoreException e) {
      cause.addSuppressed(e);
      reporter.storeFailed(holding.key(), holding.requestId(), "release", e);
    }
  }

  /** Hands over the last counts and events. Executions still running go on without renewal. */
  @Override
  public void close() {
    renewals.close();
    upkeep.close();
  }
}
