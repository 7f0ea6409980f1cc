package dev.semel.idempotency;

/** Which failures are final. A final one is kept and replayed; after any other a retry runs. */
@FunctionalInterface
public interface FailurePolicy {
  /** No failure is final: the key is given back and the next caller runs. */
  FailurePolicy RELEASE = failure -> false;

  /** Every failure is final: each further caller gets it again. */
  FailurePolicy STORE = failure -> true;

  boolean isFinal(Exception failure);
}
