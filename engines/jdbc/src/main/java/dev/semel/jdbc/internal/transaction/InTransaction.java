package dev.semel.jdbc.internal.transaction;

import dev.semel.ExecutionOrigin;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.jdbc.TransactionalWork;
import dev.semel.jdbc.internal.transaction.EngineTransactions.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A transaction that has the key: it runs the work, records the result, and commits. */
final class InTransaction<T, X extends Exception> {
  private final EngineTransactions transactions;
  private final DecisionReporter reporter;
  private final TimingListener timings;
  private final ExecutionRequest<T> request;
  private final TransactionalWork<T, X> work;

  InTransaction(
      ReportedTransactions engine, ExecutionRequest<T> request, TransactionalWork<T, X> work) {
    this.transactions = engine.transactions();
    this.reporter = engine.reporter();
    this.timings = engine.timings();
    this.request = request;
    this.work = work;
  }

  TransactionTry<T> run(Transaction tx, ClaimRequest claim, ClaimResult.Granted grant)
      throws SQLException {
    if (!request.policy().onFailure().equals(FailurePolicy.RELEASE)) {
      tx.markStart(); // only requests that may store a failure pay for this
    }
    WorkConnection connection = new WorkConnection(tx.connection());
    TransactionExecution execution = new TransactionExecution(request, grant, connection);
    long started = System.nanoTime();
    T result;
    try {
      result =
          ExecutionOrigin.of(request.key())
              .<T, Exception>call(() -> work.run(connection.connection(), execution));
    } catch (Exception e) {
      return threw(tx, claim, grant.attempt(), e);
    } finally {
      execution.end();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    ExecutionEnd ending = ExecutionEnd.of(request, result);
    ending.refuseNull(request, result, "nothing was committed");
    Optional<TransactionTry<T>> refused = commit(tx, claim, grant.attempt(), ending);
    if (refused.isPresent()) {
      return refused.get();
    }
    int bytes = ending.payload().bytes().length;
    reporter.completed(request.key(), request.requestId(), grant.attempt(), took, bytes);
    return new TransactionTry.Done<>(new Outcome.Executed<>(result, grant.attempt(), true));
  }

  private TransactionTry<T> threw(
      Transaction tx, ClaimRequest claim, int attempt, Exception failure) throws SQLException {
    if (transactions.isConflict(failure)) {
      return new TransactionTry.Conflict<>(failure);
    }
    String kind = failure.getClass().getName();
    if (!request.policy().isFinal(failure)) {
      reporter.released(request.key(), request.requestId(), attempt, failure);
      return new TransactionTry.Threw<>(failure);
    }
    Optional<TransactionTry<T>> refused;
    try {
      tx.undoWork();
      refused = commit(tx, claim, attempt, ExecutionEnd.failed(StoredFailure.of(failure)));
    } catch (SQLException | RuntimeException e) {
      e.addSuppressed(failure);
      throw e;
    }
    if (refused.isPresent()) {
      return refused.get();
    }
    reporter.failureStored(request.key(), request.requestId(), attempt, kind);
    return new TransactionTry.Done<>(
        new Outcome.Failed<>(StoredFailure.of(failure), Optional.of(failure)));
  }

  private Optional<TransactionTry<T>> committed() {
    timings.kept(request.key().operation(), request.policy().retention());
    return Optional.empty();
  }

  /**
   * Commits.
   *
   * @return empty on success
   */
  private Optional<TransactionTry<T>> commit(
      Transaction tx, ClaimRequest claim, int attempt, ExecutionEnd ending) throws SQLException {
    Key key = request.key();
    if (!tx.record(claim, attempt, ending)) {
      reporter.fenced(key, request.requestId(), attempt, "complete");
      return Optional.of(
          new TransactionTry.Conflict<>(
              new StoreException(
                  "nothing was committed: others kept claiming the key while the work ran: ask again")));
    }
    try {
      tx.commit();
      return committed();
    } catch (SQLException e) {
      if (transactions.isConflict(e) || transactions.refusedCommit(e)) {
        throw e;
      }
      tx.close(); // closes first: its lock would hide the outcome
      return switch (transactions.fate(key, claim.token())) {
        case COMMITTED -> committed();
        case ROLLED_BACK ->
            throw transactions.fault("the connection was lost and nothing was committed", e);
        case UNKNOWN ->
            throw transactions.fault(
                "the connection was lost while committing and whether it happened is unknown, ask again to find out",
                e);
      };
    }
  }
}
