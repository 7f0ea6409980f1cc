package dev.semel.idempotency;

/**
 * Decides which failures are final. A final failure is kept and replayed; after any other a retry
 * runs.
 */
@FunctionalInterface
public interface FailurePolicy {
  /** No failure is final: the key is released and the next caller runs. */
  FailurePolicy RELEASE = failure -> false;

  /** Every failure is final: each duplicate gets it replayed. */
  FailurePolicy STORE = failure -> true;

  boolean isFinal(Exception failure);
}
