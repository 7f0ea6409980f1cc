package dev.semel.outbox;

import java.sql.Connection;

/**
 * Application code that runs in the transaction that adds the messages, writing through the given
 * connection. It must not commit, roll back or close.
 */
@FunctionalInterface
public interface OutboxWork<T, X extends Exception> {
  T run(Connection connection) throws X;
}
