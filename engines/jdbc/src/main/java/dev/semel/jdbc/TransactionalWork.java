package dev.semel.jdbc;

import dev.semel.idempotency.Execution;
import java.sql.Connection;

/**
 * What must happen once, done through the given connection. Its writes commit together with the
 * record of it, so the connection refuses to commit, to roll back, to close and to turn automatic
 * commits on; savepoints are the work's to use. It may run more than once, each time after its
 * writes were rolled back: what it does elsewhere is not undone.
 */
@FunctionalInterface
public interface TransactionalWork<T, X extends Exception> {
  T run(Connection connection, Execution execution) throws X;
}
