package dev.semel.outbox;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.util.List;
import java.util.function.Function;

/**
 * Sends messages if and only if the transaction that adds them commits. A {@link Relay} on {@link
 * #store} publishes them. Safe for use by many threads.
 */
public interface Outbox {
  /**
   * Adds messages in the caller's transaction: if it rolls back, nothing is sent. With a relay in
   * this process, call {@link #ring} after the commit.
   *
   * @throws InvalidInput when a message is too large or automatic commits are on; nothing was sent
   *     to the database, and the transaction is as it was
   * @throws StoreException when the database refused; roll the transaction back
   */
  void add(Connection connection, List<Message> messages);

  /** Adds these messages in the caller's transaction, as {@link #add(Connection, List)}. */
  default void add(Connection connection, Message... messages) {
    add(connection, List.of(messages));
  }

  /**
   * Runs logic that throws checked exceptions, such as JDBC's, and adds the messages, both in one
   * new transaction; then wakes the relay of this process. If the logic throws, the transaction
   * rolls back and the exception passes through.
   *
   * @throws StoreException when it was not committed, or that is unknown; the message says which
   */
  <T, X extends Exception> T executeWithOutbox(OutboxWork<T, X> logic, Message... messages)
      throws X;

  /**
   * Runs the work and adds the message, both in one new transaction; then wakes the relay of this
   * process. If the work throws, the transaction rolls back and the exception passes through.
   *
   * @param work writes through the connection, and must not commit or close it
   * @throws StoreException when it was not committed, or that is unknown; the message says which
   */
  default <T> T inTransaction(Message message, Function<Connection, T> work) {
    return inTransaction(List.of(message), work);
  }

  /** Runs the work and adds the messages in one new transaction, as for one message. */
  default <T> T inTransaction(List<Message> messages, Function<Connection, T> work) {
    return this.<T, RuntimeException>executeWithOutbox(
        work::apply, messages.toArray(Message[]::new));
  }

  /** Wakes the relay of this process; otherwise it looks at its next poll. */
  void ring();

  /** The store that a relay publishes from. */
  OutboxStore store();

  /** The outbox for operators. */
  OutboxOperations operations();
}
