package dev.semel.idempotency;

/**
 * Runs work once per key. {@link Idempotency} does it under a lease, semel-jdbc's same-transaction
 * mode inside a transaction; use this type where either will do.
 */
public interface GuardedExecutor {
  /**
   * Runs the work unless it was done before; see {@link Idempotency#execute(ExecutionRequest,
   * Work)}.
   */
  <T, X extends Exception> Outcome<T> execute(ExecutionRequest<T> request, Work<T, X> work)
      throws X;
}
