package dev.semel.idempotency;

/** What must happen once. */
@FunctionalInterface
public interface Work<T, X extends Exception> {
  T run(Execution execution) throws X;
}
