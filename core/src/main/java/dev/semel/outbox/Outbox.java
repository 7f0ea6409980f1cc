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
 * Messages that leave if and only if the transaction commits in which they were added. A {@link
 * Relay} on {@link #store} publishes them. Safe for many threads.
 */
public interface Outbox {
  /**
   * Adds in the caller's transaction: if that is rolled back, nothing was said. Whoever has a relay
   * in this process calls {@link #ring} after the commit.
   *
   * @throws InvalidInput when a message is too large or the connection commits by itself; nothing
   *     was sent to the database then, and the transaction is as it was
   * @throws StoreException when the database refused; the transaction is to be rolled back
   */
  void add(Connection connection, List<Message> messages);

  /** Adds these messages in the caller's transaction, as {@link #add(Connection, List)}. */
  default void add(Connection connection, Message... messages) {
    add(connection, List.of(messages));
  }

  /**
   * Runs logic that throws checked exceptions, such as JDBC's own, and adds the messages in one
   * transaction of its own, and wakes the relay of this process. What the logic throws is thrown on
   * after a rollback.
   *
   * @throws StoreException when it was not committed, or that is unknown; the message says which
   */
  <T, X extends Exception> T executeWithOutbox(OutboxWork<T, X> logic, Message... messages)
      throws X;

  /**
   * Runs the work and adds the message in one transaction of its own, and wakes the relay of this
   * process. What the work throws is thrown on after a rollback.
   *
   * @param work writes through the connection, and leaves committing and closing to this
   * @throws StoreException when it was not committed, or that is unknown; the message says which
   */
  default <T> T inTransaction(Message message, Function<Connection, T> work) {
    return inTransaction(List.of(message), work);
  }

  /** Runs the work and adds the messages in one transaction, as for one message. */
  default <T> T inTransaction(List<Message> messages, Function<Connection, T> work) {
    return this.<T, RuntimeException>executeWithOutbox(
        work::apply, messages.toArray(Message[]::new));
  }

  /** Wakes the relay of this process; it would look by itself, but later. */
  void ring();

  /** What a relay publishes from. */
  OutboxStore store();

  /** For operators. */
  OutboxOperations operations();
}
