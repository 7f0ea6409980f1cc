package dev.semel.outbox;

import java.sql.Connection;

/**
 * What messages tell of, done through the given connection. It leaves committing, rolling back and
 * closing to the caller.
 */
@FunctionalInterface
public interface OutboxWork<T, X extends Exception> {
  T run(Connection connection) throws X;
}
