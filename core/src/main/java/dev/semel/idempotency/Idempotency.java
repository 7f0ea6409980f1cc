package dev.semel.idempotency;

import dev.semel.ExecutionOrigin;
import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event.Unguarded.Reason;
import dev.semel.event.SemelListener;
import dev.semel.loop.Machine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
public final class Idempotency implements Once, AutoCloseable {
  private final Upkeep upkeep;
  private final IdempotencyStore store;
  private final StatisticsStore statistics;
  private final Reporter reporter;
  private final Claims claims;
  private final Renewals renewals;
  private final Outages outages;
  private final Running running;
  private final Flights flights;
  private final Set<Token> takenOver = Reservations.tokens();
  private final Machine machine;

  /**
   * Executions on this store.
   *
   * @param listener hears of every decision of this process, beside the store's event log
   */
  public Idempotency(Store store, SemelListener listener) {
    this(store, listener, Machine.REAL);
  }

  /**
   * The same, able to go on while the store is away.
   *
   * @param journals where {@link OnOutage#WARN_AND_CONTINUE} writes down what ran meanwhile; many
   *     processes may share it
   */
  public Idempotency(Store store, SemelListener listener, Path journals) {
    this(store, listener, Optional.of(journals), Machine.REAL);
  }

  /** The same on another machine than this one: a simulated one. */
  public Idempotency(Store store, SemelListener listener, Machine machine) {
    this(store, listener, Optional.empty(), machine);
  }

  private Idempotency(
      Store store, SemelListener listener, Optional<Path> journals, Machine machine) {
    this.machine = machine;
    this.flights = new Flights(machine);
    this.upkeep = Upkeep.start(store, listener, machine);
    this.store = store.idempotency();
    this.statistics = store.statistics();
    this.reporter = upkeep.reporter();
    this.claims = new Claims(this.store, reporter, machine);
    this.renewals = new Renewals(this.store, reporter, machine);
    this.outages = new Outages(this.store, reporter, journals, machine);
    this.running = new Running(this.store, reporter, renewals, outages, machine);
    upkeep.also(claims::releaseGivenUp);
    upkeep.also(outages::reconcile);
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
   * <p>What operators have set for the operation goes before the request's policy.
   *
   * <p>Work that can't tell whether it took effect throws {@link EffectUnknown}.
   *
   * @throws StoreException when the store can't be asked; the work has not run
   */
  @Override
  public <T, X extends Exception> Outcome<T> execute(Request<T> request, Work<T, X> work) throws X {
    OperationSettings set = settings().of(request.key().operation());
    if (set.values().isEmpty()) {
      return enforce(request, work);
    }
    Request<T> effective = request.withPolicy(set.over(request.policy()));
    return switch (set.mode()) {
      case ENFORCE -> enforce(effective, work);
      case OBSERVE -> observe(effective, work);
      case OFF -> {
        reporter.notAsked(request.key());
        yield runUnguarded(effective, Reason.OFF, work);
      }
    };
  }

  private <T, X extends Exception> Outcome<T> enforce(Request<T> request, Work<T, X> work)
      throws X {
    return request.policy().waitUpTo().isZero()
        ? proceed(request, ask(request, Token.draw(), false), work).outcome()
        : executeOrWait(request, work);
  }

  /**
   * Watching must never stop anything: a duplicate runs, and so does all while the store is away.
   */
  private <T, X extends Exception> Outcome<T> observe(Request<T> request, Work<T, X> work)
      throws X {
    Claims.Asked asked;
    try {
      asked = claims.ask(request, Token.draw());
    } catch (StoreException e) {
      reporter.notAsked(request.key());
      return runUnguarded(request, Reason.STORE_AWAY, work);
    }
    if (asked.answer() instanceof Claim.Granted) {
      return proceed(request, asked, work).outcome();
    }
    reporter.answered(asked.request(), asked.answer());
    return runUnguarded(request, Reason.OBSERVED, work);
  }

  private <T, X extends Exception> Outcome<T> runUnguarded(
      Request<T> request, Reason reason, Work<T, X> work) throws X {
    reporter.unguarded(request.key(), request.requestId(), reason);
    Execution execution = new UnguardedExecution(request.key(), Token.draw(), request.policy());
    T result = ExecutionOrigin.of(request.key()).call(() -> work.run(execution));
    reporter.ranUnguarded(request.key());
    return new Outcome.Executed<>(result, 0, false);
  }

  /** Of the store; of this process where the store is away and the policy goes on without it. */
  private Claims.Asked ask(Request<?> request, Token token, boolean again) {
    Optional<Claims.Asked> known = outages.recall(request, token);
    if (known.isPresent()) {
      return known.get();
    }
    try {
      return again ? claims.askAgain(request, token) : claims.ask(request, token);
    } catch (StoreException e) {
      if (!outages.covers(request.policy())) {
        throw e;
      }
      return askHere(request, token);
    }
  }

  private Claims.Asked askHere(Request<?> request, Token token) {
    List<ClaimRequest> mayBeGranted = claims.takeBack(token);
    boolean granted = false;
    try {
      Claims.Asked here = outages.ask(request, token);
      granted = here.answer() instanceof Claim.Granted;
      return here;
    } finally {
      if (!granted) {
        mayBeGranted.forEach(claims::giveUp); // another of this process runs, or nobody may
      }
    }
  }

  /** For others with something to report beside executions, such as relays and consumers. */
  public SemelListener listener() {
    return upkeep.listener();
  }

  /** For same-transaction mode beside it on the same store; closed with this. */
  public Upkeep upkeep() {
    return upkeep;
  }

  /** The records themselves, for what is built on claims of its own beside executions. */
  public IdempotencyStore records() {
    return store;
  }

  /** What operators have set, as this process knows it. */
  LiveSettings settings() {
    return upkeep.settings();
  }

  Reporter reporter() {
    return reporter;
  }

  /** Makes a plain function idempotent. */
  public <R, T, X extends Exception> IdempotentFunction<R, T, X> decorate(
      Rules<R, T> rules, IdempotentFunction.Handler<R, T, X> handler) {
    return new IdempotentFunction<>(this, rules, handler);
  }

  /** The same for callers that can't wrap a function. */
  public Reservations reservations() {
    return new Reservations(store, statistics, reporter, settings(), takenOver);
  }

  /** For steps of which the next may start only after the last one ended. */
  public Sequence sequence() {
    return new Sequence(this, store, reporter, renewals, machine);
  }

  private <T, X extends Exception> Outcome<T> executeOrWait(Request<T> request, Work<T, X> work)
      throws X {
    long deadline = machine.nanos() + request.policy().waitUpTo().toNanos();
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
    } finally {
      flights.leave(request.key(), request.fingerprint(), flight);
    }
  }

  private <T, X extends Exception> Outcome<T> withTurn(
      Request<T> request, Flights.Flight flight, long deadline, Work<T, X> work) throws X {
    Claim settled = flight.settled();
    if (settled != null) {
      return shared(request, settled);
    }
    Token token = Token.draw();
    for (boolean again = false; ; again = true) {
      Claims.Asked asked = ask(request, token, again);
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
                new FirstExecution(
                    request.requestId(),
                    granted.attempt(),
                    Duration.ZERO,
                    request.policy().retention())));
      }
      Running.Done<T> done = proceed(request, asked, work);
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

  private <T, X extends Exception> Running.Done<T> proceed(
      Request<T> request, Claims.Asked asked, Work<T, X> work) throws X {
    reporter.answered(asked.request(), asked.answer());
    if (asked.answer() instanceof Claim.Granted granted) {
      return running.run(request, new Holding(machine, asked, granted, request.policy()), work);
    }
    boolean ended =
        asked.answer() instanceof Claim.Replay || asked.answer() instanceof Claim.Failed;
    return new Running.Done<>(
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

  /** Hands over the last counts and events. Executions still running go on without renewal. */
  @Override
  public void close() {
    renewals.close();
    try {
      upkeep.close();
    } finally {
      outages.close(); // only now does nobody reconcile any more
    }
  }
}
