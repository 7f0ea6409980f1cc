package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.log.internal.Log;
import java.time.Duration;

/**
 * Reports each decision to listeners and statistics, the same way for {@link Idempotency}, {@code
 * Reservations} and a store's same-transaction mode.
 */
public final class DecisionReporter {
  private static final Log LOG = Log.of("idempotency", 1);

  private final StatisticsCollector statistics;
  private final SemelListener listener;

  public DecisionReporter(StatisticsCollector statistics, SemelListener listener) {
    this.statistics = statistics;
    this.listener = listener;
  }

  /** A claim was answered, and the caller gets that answer. */
  public void answered(ClaimRequest request, ClaimResult claim) {
    answered(request.key(), request.requestId(), claim);
  }

  /**
   * A duplicate got this answer, whether from a claim or from something else, such as a job queue.
   */
  public void answered(Key key, String id, ClaimResult claim) {
    switch (claim) {
      case ClaimResult.Granted g -> {
        if (g.takenOver()) {
          statistics.count(key, DecisionCounter.REQUESTS, DecisionCounter.TAKEOVERS);
          emit(new Event.TakenOver(key, id, g.attempt()));
        } else {
          statistics.count(key, DecisionCounter.REQUESTS);
          emit(new Event.Claimed(key, id, g.attempt()));
        }
      }
      case ClaimResult.Replay r -> {
        statistics.count(
            key, DecisionCounter.REQUESTS, DecisionCounter.DUPLICATES, DecisionCounter.REPLAYS);
        statistics.arrived(key, r.original().age());
        emit(new Event.Replayed(key, id, r.original()));
      }
      case ClaimResult.Failed f -> {
        statistics.count(
            key, DecisionCounter.REQUESTS, DecisionCounter.DUPLICATES, DecisionCounter.REPLAYS);
        statistics.arrived(key, f.original().age());
        emit(new Event.Replayed(key, id, f.original()));
      }
      case ClaimResult.InFlight f -> {
        statistics.count(
            key, DecisionCounter.REQUESTS, DecisionCounter.DUPLICATES, DecisionCounter.IN_FLIGHT);
        statistics.arrived(key, f.original().age());
        emit(new Event.InFlight(key, id, f.original(), f.left()));
      }
      case ClaimResult.Mismatch m -> {
        statistics.count(key, DecisionCounter.REQUESTS, DecisionCounter.MISMATCHES);
        emit(new Event.Mismatched(key, id, m.original()));
      }
      case ClaimResult.InDoubt d -> {
        statistics.count(
            key, DecisionCounter.REQUESTS, DecisionCounter.DUPLICATES, DecisionCounter.IN_DOUBT);
        statistics.arrived(key, d.original().age());
        emit(new Event.InDoubt(key, id, d.original()));
      }
    }
  }

  public void completed(Key key, String requestId, int attempt, Duration took, int responseBytes) {
    statistics.count(key, DecisionCounter.EXECUTED);
    emit(new Event.Completed(key, requestId, attempt, took, responseBytes));
  }

  /** A reservation was confirmed; only its owner knows how long the work took. */
  public void confirmed(Key key, String requestId, int attempt, int responseBytes) {
    completed(key, requestId, attempt, Duration.ZERO, responseBytes);
  }

  public void failureStored(Key key, String requestId, int attempt, String kind) {
    statistics.count(key, DecisionCounter.EXECUTED, DecisionCounter.ERRORS);
    emit(new Event.FailureStored(key, requestId, attempt, kind));
  }

  public void released(Key key, String requestId, int attempt, Exception cause) {
    statistics.count(key, DecisionCounter.ERRORS);
    String message = cause.getMessage() == null ? "" : cause.getMessage();
    emit(new Event.Released(key, requestId, attempt, cause.getClass().getName(), message));
  }

  public void fenced(Key key, String requestId, int attempt, String step) {
    statistics.count(key, DecisionCounter.FENCED);
    emit(new Event.Fenced(key, requestId, attempt, step));
  }

  public void unrecorded(Key key, String requestId, int attempt) {
    statistics.count(key, DecisionCounter.EXECUTED);
    emit(new Event.Unrecorded(key, requestId, attempt));
  }

  void outlived(Key key, String requestId, int attempt) {
    statistics.count(key, DecisionCounter.OUTLIVED);
    emit(new Event.Outlived(key, requestId, attempt));
  }

  /** Work is about to run unprotected. */
  public void unguarded(Key key, String requestId, Event.Unguarded.Reason reason) {
    statistics.count(key, DecisionCounter.UNGUARDED);
    emit(new Event.Unguarded(key, requestId, reason));
  }

  /** A request that did not ask the store. */
  public void notAsked(Key key) {
    statistics.count(key, DecisionCounter.REQUESTS);
  }

  /** Unprotected work has ended. */
  public void ranUnguarded(Key key) {
    statistics.count(key, DecisionCounter.EXECUTED);
  }

  void reconciled(Key key, String requestId, Event.Reconciled.Verdict verdict) {
    if (verdict == Event.Reconciled.Verdict.RAN_TWICE) {
      statistics.count(key, DecisionCounter.RAN_TWICE);
    }
    emit(new Event.Reconciled(key, requestId, verdict));
  }

  public void collided(Key key, String requestId, Key movedTo) {
    statistics.count(key, DecisionCounter.COLLISIONS);
    emit(new Event.Collided(key, requestId, movedTo));
  }

  public void storeFailed(Key key, String requestId, String step, RuntimeException cause) {
    statistics.count(key, DecisionCounter.ERRORS, DecisionCounter.STORE_ERRORS);
    emit(new Event.StoreFailed(key, requestId, step, String.valueOf(cause.getMessage())));
  }

  /** A listener's failure must not become the caller's: the work has been done. */
  public void emit(Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      boolean unused = LOG.warn("listener", "a listener of events failed", e);
      if (event instanceof Event.Keyed keyed) {
        statistics.count(keyed.key(), DecisionCounter.ERRORS);
      }
    }
  }
}
