package dev.semel.spring.internal;

import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FailurePolicy;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;
import dev.semel.jdbc.OuterTransactions;
import dev.semel.jdbc.TransactionalIdempotency;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Same-transaction mode in Spring's transactions: effects and their record commit together. */
final class SpringTransactions implements OuterTransactions, GuardedExecutor {
  private final PlatformTransactionManager manager;
  private final BoundConnections connections;
  private final TransactionalIdempotency idempotency;

  SpringTransactions(
      PlatformTransactionManager manager,
      BoundConnections connections,
      Function<OuterTransactions, TransactionalIdempotency> idempotency) {
    this.manager = manager;
    this.connections = connections;
    this.idempotency = idempotency.apply(this);
  }

  /**
   * Inside an active transaction this neither waits for other callers nor stores a failure, which
   * would be rolled back with everything else.
   */
  @Override
  public <T, X extends Exception> Outcome<T> execute(ExecutionRequest<T> request, Work<T, X> work)
      throws X {
    ExecutionRequest<T> asked =
        TransactionSynchronizationManager.isActualTransactionActive()
            ? request.withPolicy(
                request.policy().withOnFailure(FailurePolicy.RELEASE).withWaitUpTo(Duration.ZERO))
            : request;
    return idempotency.execute(asked, (connection, execution) -> work.run(execution));
  }

  @Override
  public Outer begin() throws SQLException {
    TransactionStatus status;
    try {
      status = manager.getTransaction(new DefaultTransactionDefinition());
    } catch (TransactionException e) {
      throw sqlCause(e)
          .orElseGet(() -> new SQLException("no transaction could be begun: " + e.getMessage(), e));
    }
    if (!status.isNewTransaction() && status.isRollbackOnly()) {
      throw new SQLException(
          "the transaction that was joined is to be rolled back, so nothing can be tried again in it");
    }
    try {
      return new Running(status, connections.required("@Idempotent in the same transaction"));
    } catch (RuntimeException e) {
      manager.rollback(status);
      throw e;
    }
  }

  private static Optional<SQLException> sqlCause(RuntimeException failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    return Optional.ofNullable((SQLException) cause);
  }

  private final class Running implements Outer {
    private final TransactionStatus status;
    private final Connection connection;

    Running(TransactionStatus status, Connection connection) {
      this.status = status;
      this.connection = connection;
    }

    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void commit() throws SQLException {
      try {
        manager.commit(status);
      } catch (RuntimeException e) {
        // No database error: application code marked the transaction for rollback.
        throw sqlCause(e).orElseThrow(() -> e);
      }
    }

    @Override
    public void rollBack() {
      if (!status.isCompleted()) {
        manager.rollback(status);
      }
    }

    /** Leaves a joined transaction open, because nothing was written in it. */
    @Override
    public void leave() {
      if (status.isNewTransaction() && !status.isCompleted()) {
        manager.rollback(status);
      }
    }
  }
}
