package dev.semel.idempotency;

import dev.semel.ExecutionOrigin;
import dev.semel.FirstExecution;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event.Unguarded.Reason;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.internal.ClaimAnswer;
import dev.semel.idempotency.internal.ClaimQuestion;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.internal.ExecutionContext;
import dev.semel.idempotency.internal.HeldKey;
import dev.semel.idempotency.internal.KeyClaimer;
import dev.semel.idempotency.internal.LeaseRenewals;
import dev.semel.idempotency.internal.LiveSettings;
import dev.semel.idempotency.internal.OutageExecutor;
import dev.semel.idempotency.internal.SingleFlight;
import dev.semel.idempotency.internal.UnguardedExecution;
import dev.semel.idempotency.internal.WorkRunner;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.loop.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Executes work once per key: claim, run, complete. {@link dev.semel.Semel#idempotency} gives one;
 * make your own over a {@link Store} that you opened.
 *
 * <p>Guarantee: of all callers of a key, in whatever process, one runs; the others get its
 * response, or the reason why not. A crash leaves the claim behind: once its lease ended, callers
 * get in doubt, or run again, as the {@link ExecutionPolicy} says. Work whose effects live in one
 * SQL database can do better: see same-transaction mode in semel-jdbc.
 *
 * <p>Safe for use by many threads. Closing it writes the last counts and events; it does not close
 * the store.
 */
public final class Idempotency implements GuardedExecutor, AutoCloseable {
  private final Maintenance maintenance;
  private final LiveSettings settings;
  private final IdempotencyStore store;
  private final StatisticsStore statistics;
  private final DecisionReporter reporter;
  private final ExecutionContext context;
  private final KeyClaimer claims;
  private final LeaseRenewals renewals;
  private final OutageExecutor outages;
  private final WorkRunner running;
  private final SingleFlight flights;
  private final Set<Token> takenOver = Reservations.tokens();
  private final Platform platform;

  /**
   * Executes on this store.
   *
   * @param listener receives every decision of this process, in addition to the store's event log
   */
  public Idempotency(Store store, SemelListener listener) {
    this(store, listener, Platform.REAL);
  }

  /**
   * Executes on this store, and can continue while the store is away.
   *
   * @param journals the folder in which {@link OnOutage#WARN_AND_CONTINUE} writes down what ran
   *     meanwhile; many processes may share it
   */
  public Idempotency(Store store, SemelListener listener, Path journals) {
    this(store, listener, Optional.of(journals), Platform.REAL);
  }

  /** Executes on another platform than this machine: a simulated one. */
  public Idempotency(Store store, SemelListener listener, Platform platform) {
    this(store, listener, Optional.empty(), platform);
  }

  private Idempotency(
      Store store, SemelListener listener, Optional<Path> journals, Platform platform) {
    this.platform = platform;
    this.flights = new SingleFlight(platform);
    this.maintenance = Maintenance.start(store, listener, platform);
    this.store = store.idempotency();
    this.statistics = store.statistics();
    this.settings = maintenance.settings();
    this.reporter = maintenance.reporter();
    this.context = new ExecutionContext(this.store, reporter, platform);
    this.claims = new KeyClaimer(context);
    this.renewals = new LeaseRenewals(context);
    this.outages = new OutageExecutor(context, journals);
    this.running = new WorkRunner(context, renewals, outages);
    maintenance.also(claims::releaseGivenUp);
    maintenance.also(outages::reconcile);
  }

  /**
   * Starts a call of an operation that is to happen once under this key; {@link OnceCall#run} or
   * {@link OnceCall#runAsync} executes it. To join a caller's transaction, use {@code
   * TransactionalIdempotency.joining} of semel-jdbc, or {@link dev.semel.Semel#once}.
   */
  public OnceCall<String> once(Key key) {
    return OnceCall.of(
        key,
        this,
        connection -> {
          throw new InvalidInput(
              "this Idempotency was made of a store alone and can't join a transaction: use Semel.open(url).once(…).inTransaction(connection), or TransactionalIdempotency.joining(store, maintenance, connection)");
        });
  }

  /** Executes with the default policy. */
  public <T, X extends Exception> Outcome<T> execute(
      Key key, Fingerprint fingerprint, Codec<T> codec, Work<T, X> work) throws X {
    return execute(ExecutionRequest.of(key, codec).withFingerprint(fingerprint), work);
  }

  /**
   * Runs the work unless it was done before. The work's exception passes through to the caller, and
   * a retry runs, unless the policy calls the failure final. An {@link Error} is treated as a
   * crash.
   *
   * <p>The operators' settings for the operation take precedence over the request's policy.
   *
   * <p>Work that can't tell whether it took effect throws {@link EffectUnknown}.
   *
   * @throws StoreException when the store does not answer; the work has not run
   */
  @Override
  public <T, X extends Exception> Outcome<T> execute(ExecutionRequest<T> request, Work<T, X> work)
      throws X {
    OperationSettings set = settings.of(request.key().operation());
    if (set.values().isEmpty()) {
      return enforce(request, work);
    }
    ExecutionRequest<T> effective = request.withPolicy(set.over(request.policy()));
    return switch (set.mode()) {
      case ENFORCE -> enforce(effective, work);
      case OBSERVE -> observe(effective, work);
      case OFF -> {
        reporter.notAsked(request.key());
        yield runUnguarded(effective, Reason.OFF, work);
      }
    };
  }

  private <T, X extends Exception> Outcome<T> enforce(ExecutionRequest<T> request, Work<T, X> work)
      throws X {
    return request.policy().waitUpTo().isZero()
        ? proceed(request, claim(ClaimQuestion.of(request, Token.draw()), false), work).outcome()
        : executeOrWait(request, work);
  }

  /**
   * Observing must never stop anything: duplicates run, and so does everything while the store is
   * away.
   */
  private <T, X extends Exception> Outcome<T> observe(ExecutionRequest<T> request, Work<T, X> work)
      throws X {
    ClaimAnswer answer;
    try {
      answer = claims.claim(ClaimQuestion.of(request, Token.draw()));
    } catch (StoreException e) {
      reporter.notAsked(request.key());
      return runUnguarded(request, Reason.STORE_AWAY, work);
    }
    if (answer.result() instanceof ClaimResult.Granted) {
      return proceed(request, answer, work).outcome();
    }
    reporter.answered(answer.request(), answer.result());
    return runUnguarded(request, Reason.OBSERVED, work);
  }

  private <T, X extends Exception> Outcome<T> runUnguarded(
      ExecutionRequest<T> request, Reason reason, Work<T, X> work) throws X {
    reporter.unguarded(request.key(), request.requestId(), reason);
    Execution execution = new UnguardedExecution(request.key(), Token.draw(), request.policy());
    T result = ExecutionOrigin.of(request.key()).call(() -> work.run(execution));
    reporter.ranUnguarded(request.key());
    return new Outcome.Executed<>(result, 0, false);
  }

  /**
   * Claims at the store; or within this process where the store is away and the policy continues
   * without it.
   *
   * @param again the store was asked with the question's token before
   */
  private ClaimAnswer claim(ClaimQuestion question, boolean again) {
    Optional<ClaimAnswer> known = outages.recall(question);
    if (known.isPresent()) {
      return known.get();
    }
    try {
      return again ? claims.claimAgain(question) : claims.claim(question);
    } catch (StoreException e) {
      if (!outages.covers(question.request().policy())) {
        throw e;
      }
      return outages.claimInstead(question, claims);
    }
  }

  /** For other parts that report events, such as relays and consumers. */
  public SemelListener listener() {
    return maintenance.listener();
  }

  /** For same-transaction mode on the same store; closing this closes it. */
  public Maintenance maintenance() {
    return maintenance;
  }

  /** The records, for code that makes its own claims. */
  public IdempotencyStore records() {
    return store;
  }

  /** The operators' settings, as this process knows them. */
  LiveSettings settings() {
    return settings;
  }

  DecisionReporter reporter() {
    return reporter;
  }

  /** Makes a plain function idempotent. */
  public <R, T> IdempotentFunction<R, T> decorate(
      OperationRules<R, T> rules, BiFunction<R, Execution, T> handler) {
    return new IdempotentFunction<>(this, rules, handler);
  }

  /** For callers that can't wrap a function: they reserve a key, and confirm it afterwards. */
  public Reservations reservations() {
    return new Reservations(store, statistics, maintenance, takenOver);
  }

  /** For ordered steps: the next step may start only after the last one ended. */
  public Sequence sequence() {
    return new Sequence(this, context, renewals);
  }

  private <T, X extends Exception> Outcome<T> executeOrWait(
      ExecutionRequest<T> request, Work<T, X> work) throws X {
    long deadline = platform.nanos() + request.policy().waitUpTo().toNanos();
    SingleFlight.Flight flight = flights.join(request.key(), request.fingerprint());
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
      ExecutionRequest<T> request, SingleFlight.Flight flight, long deadline, Work<T, X> work)
      throws X {
    ClaimResult settled = flight.settled();
    if (settled != null) {
      return shared(request, settled);
    }
    ClaimQuestion question = ClaimQuestion.of(request, Token.draw());
    for (boolean again = false; ; again = true) {
      ClaimAnswer answer = claim(question, again);
      if (answer.result() instanceof ClaimResult.InFlight inFlight) {
        flight.saw(inFlight);
        if (flight.pauseUntil(deadline)) {
          continue;
        }
      }
      if (answer.result() instanceof ClaimResult.Granted granted) {
        flight.saw(
            new ClaimResult.InFlight(
                request.policy().lease(),
                new FirstExecution(
                    request.requestId(),
                    granted.attempt(),
                    Duration.ZERO,
                    request.policy().retention())));
      }
      WorkRunner.Done<T> done = proceed(request, answer, work);
      done.shared().ifPresent(flight::settle);
      return done.outcome();
    }
  }

  /** The wait is over; the local caller that had the turn knows the holder. */
  private <T> Outcome<T> giveUp(ExecutionRequest<T> request, SingleFlight.Flight flight) {
    ClaimResult settled = flight.settled();
    return shared(request, settled != null ? settled : flight.holder());
  }

  /** An answer that another local caller got for the same request. */
  private <T> Outcome<T> shared(ExecutionRequest<T> request, ClaimResult answer) {
    reporter.answered(request.key(), request.requestId(), answer);
    return answered(request, answer);
  }

  private <T, X extends Exception> WorkRunner.Done<T> proceed(
      ExecutionRequest<T> request, ClaimAnswer answer, Work<T, X> work) throws X {
    ClaimResult result = answer.result();
    reporter.answered(answer.request(), result);
    if (result instanceof ClaimResult.Granted granted) {
      return running.run(request, new HeldKey(platform, answer, granted, request.policy()), work);
    }
    boolean ended = result instanceof ClaimResult.Replay || result instanceof ClaimResult.Failed;
    return new WorkRunner.Done<>(
        answered(request, result), ended ? Optional.of(result) : Optional.empty());
  }

  static <T> Outcome<T> answered(ExecutionRequest<T> request, ClaimResult answer) {
    return switch (answer) {
      case ClaimResult.Granted g -> throw new IllegalStateException("a grant is to be run");
      case ClaimResult.Replay r ->
          new Outcome.Replayed<>(request.codec().read(r.response()), r.original());
      case ClaimResult.Failed f -> new Outcome.Failed<>(f.failure(), Optional.empty());
      case ClaimResult.InFlight f -> new Outcome.InFlight<>(f.left(), f.original());
      case ClaimResult.Mismatch m -> new Outcome.Mismatch<>(m.stored(), m.original());
      case ClaimResult.InDoubt d -> new Outcome.InDoubt<>(d.original());
    };
  }

  /** Writes the last counts and events. Executions that still run continue without renewal. */
  @Override
  public void close() {
    renewals.close();
    try {
      maintenance.close();
    } finally {
      outages.close(); // last: maintenance reconciles until it is closed
    }
  }
}
