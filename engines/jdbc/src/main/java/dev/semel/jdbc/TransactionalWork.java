package dev.semel.jdbc;

import dev.semel.idempotency.Execution;
import java.sql.Connection;

/**
 * The work of {@link TransactionalIdempotency}: it writes through the given connection, and its
 * writes commit together with the record. So the connection refuses to commit, to roll back, to
 * close and to turn automatic commits on; savepoints are allowed. The work may run more than once,
 * each time after its writes were rolled back: effects elsewhere are not undone.
 */
@FunctionalInterface
public interface TransactionalWork<T, X extends Exception> {
  T run(Connection connection, Execution execution) throws X;
}
