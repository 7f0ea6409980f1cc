package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Work;
import dev.semel.spring.Idempotent;
import java.util.Optional;

/** Chooses how a request is executed, and measures it. */
public final class ExecutionChoice {
  private final Idempotency leases;
  private final Optional<GuardedExecutor> transactions;
  private final ExecutionTelemetry telemetry;

  public ExecutionChoice(
      Idempotency leases, Optional<GuardedExecutor> transactions, ExecutionTelemetry telemetry) {
    this.leases = leases;
    this.transactions = transactions;
    this.telemetry = telemetry;
  }

  public ExecutionTelemetry telemetry() {
    return telemetry;
  }

  /**
   * Checks that the mode is available, when the method's bean is created.
   *
   * @throws InvalidInput the mode needs something that is missing
   */
  public void require(Idempotent.Mode mode) {
    if (mode == Idempotent.Mode.SAME_TRANSACTION && transactions.isEmpty()) {
      throw new InvalidInput(
          "@Idempotent(mode = SAME_TRANSACTION) needs PostgreSQL as the application's DataSource (the one that semel.datasource names, if it does), a transaction manager for it, semel-jdbc on the class path, and semel.store not set");
    }
  }

  /**
   * The executor for code without an annotation.
   *
   * @throws InvalidInput same-transaction mode is not available
   */
  public GuardedExecutor once(boolean sameTransaction) {
    if (sameTransaction && transactions.isEmpty()) {
      throw new InvalidInput(
          "semel.http.same-transaction needs PostgreSQL as the application's DataSource (the one that semel.datasource names, if it does), a transaction manager for it, semel-jdbc on the class path, and semel.store not set");
    }
    return sameTransaction ? transactions.get() : leases;
  }

  public <T> Outcome<T> execute(
      Idempotent.Mode mode, ExecutionRequest<T> request, Work<T, Exception> work) throws Exception {
    return telemetry.observe(
        request.key().operation(),
        () ->
            transactions.isPresent() && mode != Idempotent.Mode.LEASE
                ? transactions.get().execute(request, work)
                : leases.execute(request, work));
  }
}
