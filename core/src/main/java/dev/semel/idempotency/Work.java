package dev.semel.idempotency;

/** The work that must happen once per key. */
@FunctionalInterface
public interface Work<T, X extends Exception> {
  T run(Execution execution) throws X;
}
