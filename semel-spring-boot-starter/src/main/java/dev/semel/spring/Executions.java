package dev.semel.spring;

import dev.semel.InvalidInput;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Once;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Request;
import dev.semel.idempotency.Work;
import java.time.Duration;
import java.util.Optional;

/** Which way a request is executed, and what is measured of it. */
final class Executions {
  private final Idempotency leases;
  private final Optional<Once> transactions;
  private final Telemetry telemetry;

  Executions(Idempotency leases, Optional<Once> transactions, Telemetry telemetry) {
    this.leases = leases;
    this.transactions = transactions;
    this.telemetry = telemetry;
  }

  Telemetry telemetry() {
    return telemetry;
  }

  /**
   * Looks whether it can be done, when the method's bean is made.
   *
   * @throws InvalidInput there is nothing to do it with
   */
  void require(Idempotent.Mode mode) {
    if (mode == Idempotent.Mode.SAME_TRANSACTION && transactions.isEmpty()) {
      throw new InvalidInput(
          "@Idempotent(mode = SAME_TRANSACTION) needs PostgreSQL as the application's DataSource (the one that semel.datasource names, if it does), a transaction manager for it, semel-jdbc on the class path, and semel.store not set");
    }
  }

  /**
   * For whoever executes without an annotation.
   *
   * @throws InvalidInput there is nothing to do it with in the same transaction
   */
  Once once(boolean sameTransaction) {
    if (sameTransaction && transactions.isEmpty()) {
      throw new InvalidInput(
          "semel.http.same-transaction needs PostgreSQL as the application's DataSource (the one that semel.datasource names, if it does), a transaction manager for it, semel-jdbc on the class path, and semel.store not set");
    }
    return sameTransaction ? measured(transactions.get()) : leases;
  }

  private Once measured(Once how) {
    return new Once() {
      @Override
      public <T, X extends Exception> Outcome<T> execute(Request<T> request, Work<T, X> work)
          throws X {
        return inTransaction(how, request, work);
      }
    };
  }

  <T> Outcome<T> execute(Idempotent.Mode mode, Request<T> request, Work<T, Exception> work)
      throws Exception {
    return telemetry.observe(
        request.key().operation(),
        () ->
            transactions.isPresent() && mode != Idempotent.Mode.LEASE
                ? inTransaction(transactions.get(), request, work)
                : leases.execute(request, work));
  }

  /** No store is there to be timed: the check is what came before the work, or all there was. */
  private <T, X extends Exception> Outcome<T> inTransaction(
      Once how, Request<T> request, Work<T, X> work) throws X {
    Checked<T, X> checked = new Checked<>(work, System.nanoTime());
    Outcome<T> outcome;
    try {
      outcome = how.execute(request, checked);
    } finally {
      telemetry.checked(request.key().operation(), checked.took());
    }
    if (outcome instanceof Outcome.Executed<T> executed && executed.recorded()) {
      telemetry.kept(request.key().operation(), request.policy().retention());
    }
    return outcome;
  }

  private static final class Checked<T, X extends Exception> implements Work<T, X> {
    private final Work<T, X> work;
    private final long asked;
    private Optional<Duration> began = Optional.empty();

    Checked(Work<T, X> work, long asked) {
      this.work = work;
      this.asked = asked;
    }

    @Override
    public T run(Execution execution) throws X {
      began = Optional.of(began.orElseGet(this::elapsed));
      return work.run(execution);
    }

    private Duration elapsed() {
      return Duration.ofNanos(System.nanoTime() - asked);
    }

    Duration took() {
      return began.orElseGet(this::elapsed);
    }
  }
}
