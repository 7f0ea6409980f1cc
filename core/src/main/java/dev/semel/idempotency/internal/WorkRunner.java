package dev.semel.idempotency.internal;

import dev.semel.ExecutionOrigin;
import dev.semel.FirstExecution;
import dev.semel.StoreException;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.Work;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.loop.Backoff;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.util.Optional;

/** Runs work that holds its key, and records how it ended. */
public final class WorkRunner {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final LeaseRenewals renewals;
  private final OutageExecutor outages;
  private final Platform machine;

  public WorkRunner(
      IdempotencyStore store,
      DecisionReporter reporter,
      LeaseRenewals renewals,
      OutageExecutor outages,
      Platform machine) {
    this.store = store;
    this.reporter = reporter;
    this.renewals = renewals;
    this.outages = outages;
    this.machine = machine;
  }

  /** What the caller gets, and what those may have who wait with it. */
  public record Done<T>(Outcome<T> outcome, Optional<ClaimResult> shared) {
    static <T> Done<T> alone(Outcome<T> outcome) {
      return new Done<>(outcome, Optional.empty());
    }
  }

  public <T, X extends Exception> Done<T> run(
      ExecutionRequest<T> request, HeldKey holding, Work<T, X> work) throws X {
    if (!holding.here()) {
      renewals.add(holding);
    }
    try {
      long started = machine.nanos();
      T result;
      try {
        result = worked(holding, work);
      } catch (EffectUnknown e) {
        leaveInDoubt(holding, e);
        throw e;
      } catch (Exception e) {
        if (request.policy().isFinal(e)) {
          return failed(request, holding, e);
        }
        release(holding, e);
        throw e;
      }
      // Outside of what the work may throw: it took effect, and nothing from here on undoes that.
      return succeeded(request, holding, result, Duration.ofNanos(machine.nanos() - started));
    } finally {
      renewals.remove(holding);
      if (holding.here()) {
        outages.left(holding.key(), holding.token());
      }
    }
  }

  private static <T, X extends Exception> T worked(HeldKey holding, Work<T, X> work) throws X {
    try {
      return ExecutionOrigin.of(holding.key()).call(() -> work.run(holding));
    } finally {
      holding.ending();
    }
  }

  private <T> Done<T> succeeded(
      ExecutionRequest<T> request, HeldKey holding, T result, Duration took) {
    ExecutionEnd ending = ExecutionEnd.of(request, result);
    boolean recorded = record(request, holding, ending);
    Outcome<T> outcome = new Outcome.Executed<>(result, holding.attempt(), recorded);
    if (recorded) {
      reporter.completed(
          holding.key(),
          holding.requestId(),
          holding.attempt(),
          took,
          ending.payload().bytes().length);
    }
    ending.refuseNull(request, result, "it took effect, and is not repeated");
    return done(request, holding, ending, outcome, recorded);
  }

  private <T> Done<T> failed(ExecutionRequest<T> request, HeldKey holding, Exception cause) {
    ExecutionEnd ending = ExecutionEnd.failed(StoredFailure.of(cause));
    Outcome<T> outcome = new Outcome.Failed<>(StoredFailure.of(cause), Optional.of(cause));
    boolean recorded = record(request, holding, ending);
    if (recorded) {
      reporter.failureStored(
          holding.key(), holding.requestId(), holding.attempt(), cause.getClass().getName());
    }
    return done(request, holding, ending, outcome, recorded);
  }

  private static <T> Done<T> done(
      ExecutionRequest<T> request,
      HeldKey holding,
      ExecutionEnd ending,
      Outcome<T> outcome,
      boolean recorded) {
    return recorded || holding.here()
        ? new Done<>(outcome, Optional.of(shareable(request, holding, ending)))
        : Done.alone(outcome);
  }

  private static ClaimResult shareable(
      ExecutionRequest<?> request, HeldKey holding, ExecutionEnd ending) {
    FirstExecution original =
        new FirstExecution(
            holding.requestId(), holding.attempt(), Duration.ZERO, request.policy().retention());
    return ending.state() == RecordState.COMPLETED
        ? new ClaimResult.Replay(ending.payload(), original)
        : new ClaimResult.Failed(FailurePayload.read(ending.payload()), original);
  }

  /** False: the effect happened, but the store does not say so; it was reported why. */
  private boolean record(ExecutionRequest<?> request, HeldKey holding, ExecutionEnd ending) {
    if (holding.here()) {
      reporter.ranUnguarded(holding.key());
      journal(
          holding,
          () ->
              outages.ended(holding.key(), holding.token(), ending, request.policy().retention()));
      return false;
    }
    return switch (complete(request, holding, ending)) {
      case YES -> true;
      case NO -> {
        reporter.unrecorded(holding.key(), holding.requestId(), holding.attempt());
        yield false;
      }
      case STORE_AWAY -> {
        reporter.unrecorded(holding.key(), holding.requestId(), holding.attempt());
        if (outages.covers(request.policy())) {
          journal(holding, () -> outages.ranThrough(holding.claim(), ending));
        }
        yield false;
      }
    };
  }

  /** The effect has happened: a journal that can't be written must not make it look failed. */
  private void journal(HeldKey holding, Runnable line) {
    try {
      line.run();
    } catch (StoreException e) {
      reporter.storeFailed(holding.key(), holding.requestId(), "journal", e);
    }
  }

  private enum Recorded {
    YES,
    NO,
    STORE_AWAY
  }

  /**
   * Tried until the lease ends as it stands, for it is renewed meanwhile and would not; after that
   * the token decides. Where there is a journal it is left to that.
   */
  private Recorded complete(ExecutionRequest<?> request, HeldKey holding, ExecutionEnd ending) {
    Backoff backoff = new Backoff(machine, FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = holding.leaseEnd();
    while (true) {
      try {
        if (completed(holding, ending, request.policy().retention())) {
          return Recorded.YES;
        }
        lost(holding);
        return Recorded.NO;
      } catch (StoreException e) {
        reporter.storeFailed(holding.key(), holding.requestId(), "complete", e);
        if (outages.covers(request.policy()) || !backoff.pauseUntil(deadline)) {
          return Recorded.STORE_AWAY;
        }
      }
    }
  }

  private boolean completed(HeldKey holding, ExecutionEnd ending, Duration retention) {
    boolean second =
        holding.also().isEmpty()
            || store.complete(holding.also().get(), holding.token(), ending, retention);
    return store.complete(holding.key(), holding.token(), ending, retention) && second;
  }

  /** The token holds nothing any more: someone took over, or the record's own time was over. */
  private void lost(HeldKey holding) {
    if (store.find(holding.key()).isEmpty()) {
      reporter.outlived(holding.key(), holding.requestId(), holding.attempt());
    } else {
      reporter.fenced(holding.key(), holding.requestId(), holding.attempt(), "complete");
    }
  }

  /** If it can't be given back, the lease ends by itself: nothing is lost but time. */
  private void release(HeldKey holding, Exception cause) {
    try {
      if (released(holding)) {
        reporter.released(holding.key(), holding.requestId(), holding.attempt(), cause);
      } else {
        reporter.fenced(holding.key(), holding.requestId(), holding.attempt(), "release");
      }
    } catch (StoreException e) {
      cause.addSuppressed(e);
      reporter.storeFailed(holding.key(), holding.requestId(), "release", e);
    }
  }

  /** The lease ends now, so that the next one is told; if that fails, it ends by itself. */
  private void leaveInDoubt(HeldKey holding, EffectUnknown cause) {
    reporter.unrecorded(holding.key(), holding.requestId(), holding.attempt());
    if (holding.here()) {
      return; // the journal says that it began, and nothing else will be said
    }
    try {
      holding.also().ifPresent(also -> KeyClaimer.giveBack(store, also, holding.token(), true));
      KeyClaimer.giveBack(store, holding.key(), holding.token(), true);
    } catch (StoreException e) {
      cause.addSuppressed(e);
      reporter.storeFailed(holding.key(), holding.requestId(), "release", e);
    }
  }

  private boolean released(HeldKey holding) {
    if (holding.here()) {
      outages.released(holding.key(), holding.token());
      return true;
    }
    boolean doubt = holding.takenOver();
    holding.also().ifPresent(also -> KeyClaimer.giveBack(store, also, holding.token(), doubt));
    return KeyClaimer.giveBack(store, holding.key(), holding.token(), doubt);
  }
}
