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
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.Optional;

/** Runs the work of a held key, and records how it ended. */
public final class WorkRunner {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final LeaseRenewals renewals;
  private final OutageExecutor outages;
  private final Platform platform;

  public WorkRunner(ExecutionContext context, LeaseRenewals renewals, OutageExecutor outages) {
    this.store = context.store();
    this.reporter = context.reporter();
    this.platform = context.platform();
    this.renewals = renewals;
    this.outages = outages;
  }

  /** The caller's outcome, and the answer that waiting callers may share. */
  public record Done<T>(Outcome<T> outcome, Optional<ClaimResult> shared) {
    static <T> Done<T> alone(Outcome<T> outcome) {
      return new Done<>(outcome, Optional.empty());
    }
  }

  public <T, X extends Exception> Done<T> run(
      ExecutionRequest<T> request, HeldKey heldKey, Work<T, X> work) throws X {
    if (!heldKey.here()) {
      renewals.add(heldKey);
    }
    try {
      long started = platform.nanos();
      T result;
      try {
        result = worked(heldKey, work);
      } catch (EffectUnknown e) {
        leaveInDoubt(heldKey, e);
        throw e;
      } catch (Exception e) {
        if (request.policy().isFinal(e)) {
          return failed(request, heldKey, e);
        }
        release(heldKey, e);
        throw e;
      }
      // Outside the try block: the work took effect, and no later exception may undo that.
      return succeeded(request, heldKey, result, Duration.ofNanos(platform.nanos() - started));
    } finally {
      renewals.remove(heldKey);
      if (heldKey.here()) {
        outages.left(heldKey.key(), heldKey.token());
      }
    }
  }

  private static <T, X extends Exception> T worked(HeldKey heldKey, Work<T, X> work) throws X {
    try {
      return ExecutionOrigin.of(heldKey.key()).call(() -> work.run(heldKey));
    } finally {
      heldKey.ending();
    }
  }

  private <T> Done<T> succeeded(
      ExecutionRequest<T> request, HeldKey heldKey, T result, Duration took) {
    ExecutionEnd ending = ExecutionEnd.of(request, result);
    boolean recorded = record(request, heldKey, ending);
    Outcome<T> outcome = new Outcome.Executed<>(result, heldKey.attempt(), recorded);
    if (recorded) {
      reporter.completed(
          heldKey.key(),
          heldKey.requestId(),
          heldKey.attempt(),
          took,
          ending.payload().bytes().length);
    }
    ending.refuseNull(request, result, "it took effect, and is not repeated");
    return done(request, heldKey, ending, outcome, recorded);
  }

  private <T> Done<T> failed(ExecutionRequest<T> request, HeldKey heldKey, Exception cause) {
    ExecutionEnd ending = ExecutionEnd.failed(StoredFailure.of(cause));
    Outcome<T> outcome = new Outcome.Failed<>(StoredFailure.of(cause), Optional.of(cause));
    boolean recorded = record(request, heldKey, ending);
    if (recorded) {
      reporter.failureStored(
          heldKey.key(), heldKey.requestId(), heldKey.attempt(), cause.getClass().getName());
    }
    return done(request, heldKey, ending, outcome, recorded);
  }

  private static <T> Done<T> done(
      ExecutionRequest<T> request,
      HeldKey heldKey,
      ExecutionEnd ending,
      Outcome<T> outcome,
      boolean recorded) {
    return recorded || heldKey.here()
        ? new Done<>(outcome, Optional.of(shareable(request, heldKey, ending)))
        : Done.alone(outcome);
  }

  private static ClaimResult shareable(
      ExecutionRequest<?> request, HeldKey heldKey, ExecutionEnd ending) {
    FirstExecution original =
        new FirstExecution(
            heldKey.requestId(), heldKey.attempt(), Duration.ZERO, request.policy().retention());
    return ending.state() == RecordState.COMPLETED
        ? new ClaimResult.Replay(ending.payload(), original)
        : new ClaimResult.Failed(FailurePayload.read(ending.payload()), original);
  }

  /** False: the effect happened, but the store has no record of it; the reason was reported. */
  private boolean record(ExecutionRequest<?> request, HeldKey heldKey, ExecutionEnd ending) {
    if (heldKey.here()) {
      reporter.ranUnguarded(heldKey.key());
      journal(
          heldKey,
          () ->
              outages.ended(heldKey.key(), heldKey.token(), ending, request.policy().retention()));
      return false;
    }
    return switch (complete(request, heldKey, ending)) {
      case YES -> true;
      case NO -> {
        reporter.unrecorded(heldKey.key(), heldKey.requestId(), heldKey.attempt());
        yield false;
      }
      case STORE_AWAY -> {
        reporter.unrecorded(heldKey.key(), heldKey.requestId(), heldKey.attempt());
        if (outages.covers(request.policy())) {
          journal(heldKey, () -> outages.ranThrough(heldKey.claim(), ending));
        }
        yield false;
      }
    };
  }

  /** The effect has happened: a failing journal must not make it look failed. */
  private void journal(HeldKey heldKey, Runnable line) {
    try {
      line.run();
    } catch (StoreException e) {
      reporter.storeFailed(heldKey.key(), heldKey.requestId(), "journal", e);
    }
  }

  private enum Recorded {
    YES,
    NO,
    STORE_AWAY
  }

  /**
   * Retries until the current end of the lease; renewal would otherwise extend them forever. After
   * that the token decides. With a journal, the journal takes over at once.
   */
  private Recorded complete(ExecutionRequest<?> request, HeldKey heldKey, ExecutionEnd ending) {
    Backoff backoff = new Backoff(platform, FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = heldKey.leaseEnd();
    while (true) {
      try {
        if (completed(heldKey, ending, request.policy().retention())) {
          return Recorded.YES;
        }
        lost(heldKey);
        return Recorded.NO;
      } catch (StoreException e) {
        reporter.storeFailed(heldKey.key(), heldKey.requestId(), "complete", e);
        if (outages.covers(request.policy()) || !backoff.pauseUntil(deadline)) {
          return Recorded.STORE_AWAY;
        }
      }
    }
  }

  private boolean completed(HeldKey heldKey, ExecutionEnd ending, Duration retention) {
    boolean second =
        heldKey.also().isEmpty()
            || store.complete(heldKey.also().get(), heldKey.token(), ending, retention);
    return store.complete(heldKey.key(), heldKey.token(), ending, retention) && second;
  }

  /** The token no longer holds the key: another caller took over, or the record expired. */
  private void lost(HeldKey heldKey) {
    if (store.find(heldKey.key()).isEmpty()) {
      reporter.outlived(heldKey.key(), heldKey.requestId(), heldKey.attempt());
    } else {
      reporter.fenced(heldKey.key(), heldKey.requestId(), heldKey.attempt(), "complete");
    }
  }

  /** If the release fails, the lease ends later: only time is lost. */
  private void release(HeldKey heldKey, Exception cause) {
    try {
      if (released(heldKey)) {
        reporter.released(heldKey.key(), heldKey.requestId(), heldKey.attempt(), cause);
      } else {
        reporter.fenced(heldKey.key(), heldKey.requestId(), heldKey.attempt(), "release");
      }
    } catch (StoreException e) {
      cause.addSuppressed(e);
      reporter.storeFailed(heldKey.key(), heldKey.requestId(), "release", e);
    }
  }

  /**
   * Ends the lease now, so that the next caller gets in doubt at once; if that fails, it ends
   * later.
   */
  private void leaveInDoubt(HeldKey heldKey, EffectUnknown cause) {
    reporter.unrecorded(heldKey.key(), heldKey.requestId(), heldKey.attempt());
    if (heldKey.here()) {
      return; // the journal has the begin, and gets no end
    }
    try {
      heldKey.also().ifPresent(also -> KeyClaimer.giveBack(store, also, heldKey.token(), true));
      KeyClaimer.giveBack(store, heldKey.key(), heldKey.token(), true);
    } catch (StoreException e) {
      cause.addSuppressed(e);
      reporter.storeFailed(heldKey.key(), heldKey.requestId(), "release", e);
    }
  }

  private boolean released(HeldKey heldKey) {
    if (heldKey.here()) {
      outages.released(heldKey.key(), heldKey.token());
      return true;
    }
    boolean doubt = heldKey.takenOver();
    heldKey.also().ifPresent(also -> KeyClaimer.giveBack(store, also, heldKey.token(), doubt));
    return KeyClaimer.giveBack(store, heldKey.key(), heldKey.token(), doubt);
  }
}
