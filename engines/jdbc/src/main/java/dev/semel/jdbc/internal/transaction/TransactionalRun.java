package dev.semel.jdbc.internal.transaction;

import dev.semel.FirstExecution;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.internal.ClaimQuestion;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.jdbc.TransactionalWork;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.transaction.EngineTransactions.Seen;
import dev.semel.jdbc.internal.transaction.EngineTransactions.Transaction;
import dev.semel.loop.internal.Backoff;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * One request in same-transaction mode: decides whether it runs, and repeats it after conflicts.
 */
public final class TransactionalRun<T, X extends Exception> {
  /** How often a transaction is repeated after conflicts. */
  public static final int MAX_TRIES = 10;

  /** The retry delay for a duplicate of a running transaction, whose end is unknown. */
  static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final ReportedTransactions engine;
  private final EngineTransactions transactions;
  private final DecisionReporter reporter;
  private final TimingListener timings;
  private final ExecutionRequest<T> request;
  private final TransactionalWork<T, X> work;
  private final ClaimQuestion question;

  /** Whether the grant was reported: all later attempts belong to the same request. */
  private boolean granted;

  public TransactionalRun(
      ReportedTransactions engine, ExecutionRequest<T> request, TransactionalWork<T, X> work) {
    this.engine = engine;
    this.transactions = engine.transactions();
    this.reporter = engine.reporter();
    this.timings = engine.timings();
    this.request = request;
    this.question = ClaimQuestion.of(request, Token.draw());
    this.work = work;
  }

  public Outcome<T> execute() throws X {
    long waitUntil = System.nanoTime() + request.policy().waitUpTo().toNanos();
    Backoff waiting = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    Backoff repeating = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    int conflicts = 0;
    while (true) {
      switch (tryOnce()) {
        case TransactionTry.Done<T> done -> {
          return done.outcome();
        }
        case TransactionTry.Busy<T> busy -> {
          if (!waiting.pauseUntil(waitUntil)) {
            return answer(busy.answer());
          }
        }
        case TransactionTry.Threw<T> threw -> throw thrown(threw.failure());
        case TransactionTry.Conflict<T> conflict -> {
          long soon = System.nanoTime() + LONGEST_PAUSE.toNanos();
          if (++conflicts == MAX_TRIES || !repeating.pauseUntil(soon)) {
            throw thrown(conflict.last());
          }
        }
      }
    }
  }

  /** The work throws X or something unchecked; everything else here throws unchecked. */
  @SuppressWarnings("unchecked")
  private X thrown(Exception failure) {
    return (X) failure;
  }

  private TransactionTry<T> tryOnce() {
    long asked = System.nanoTime();
    try (Transaction tx = begun(asked)) {
      ClaimResult claim = decide(tx.seen());
      checked(asked);
      return switch (claim) {
        case ClaimResult.InFlight inFlight -> new TransactionTry.Busy<>(inFlight);
        case ClaimResult.Granted grant -> {
          report(grant);
          yield new InTransaction<>(engine, request, work).run(tx, question.claim(), grant);
        }
        case ClaimResult.Replay r -> new TransactionTry.Done<>(answer(r));
        case ClaimResult.Failed f -> new TransactionTry.Done<>(answer(f));
        case ClaimResult.Mismatch m -> new TransactionTry.Done<>(answer(m));
        case ClaimResult.InDoubt d -> new TransactionTry.Done<>(answer(d));
      };
    } catch (SQLException e) {
      StoreException fault = transactions.fault("nothing was committed", e);
      return transactions.isConflict(e) ? new TransactionTry.Conflict<>(fault) : storeFailed(fault);
    } catch (StoreException e) {
      return storeFailed(e);
    }
  }

  /** A failed check also took time, so report that. */
  private Transaction begun(long asked) throws SQLException {
    try {
      return transactions.begin(request.key(), question.token());
    } catch (SQLException | RuntimeException e) {
      checked(asked);
      throw e;
    }
  }

  private void checked(long asked) {
    timings.checked(request.key().operation(), Duration.ofNanos(System.nanoTime() - asked));
  }

  private TransactionTry<T> storeFailed(StoreException e) {
    reporter.storeFailed(request.key(), request.requestId(), "transaction", e);
    return new TransactionTry.Threw<>(e);
  }

  private ClaimResult decide(Seen seen) {
    if (!seen.locked()) {
      int attempt = seen.live().map(e -> e.original().attempt() + 1).orElse(1);
      return new ClaimResult.InFlight(
          RETRY_AFTER,
          new FirstExecution("", attempt, Duration.ZERO, request.policy().retention()));
    }
    if (seen.existing().isEmpty()) {
      return new ClaimResult.Granted(question.token(), 1, false);
    }
    StoredRecord existing = seen.existing().get();
    ClaimResult claim = decide(existing, question);
    return claim instanceof ClaimResult.Mismatch mismatch
        ? question
            .inOlderForm(mismatch.stored())
            .map(older -> decide(existing, older))
            .orElse(claim)
        : claim;
  }

  private static ClaimResult decide(StoredRecord existing, ClaimQuestion asked) {
    return switch (RecordRows.decide(existing, asked.claim())) {
      case StoredRecord.Decision.Answer answer -> answer.claim();
      case StoredRecord.Decision.Take take ->
          new ClaimResult.Granted(asked.token(), take.attempt(), take.takenOver());
    };
  }

  private Outcome<T> answer(ClaimResult claim) {
    report(claim);
    return switch (claim) {
      case ClaimResult.Granted g -> throw new IllegalStateException("a grant is to be run");
      case ClaimResult.Replay r ->
          new Outcome.Replayed<>(request.codec().read(r.response()), r.original());
      case ClaimResult.Failed f -> new Outcome.Failed<>(f.failure(), Optional.empty());
      case ClaimResult.InFlight f -> new Outcome.InFlight<>(f.left(), f.original());
      case ClaimResult.Mismatch m -> new Outcome.Mismatch<>(m.stored(), m.original());
      case ClaimResult.InDoubt d -> new Outcome.InDoubt<>(d.original());
    };
  }

  private void report(ClaimResult claim) {
    if (!granted) {
      reporter.answered(request.key(), request.requestId(), claim);
    }
    granted |= claim instanceof ClaimResult.Granted;
  }
}
