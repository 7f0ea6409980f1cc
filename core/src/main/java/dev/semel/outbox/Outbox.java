package dev.semel.outbox;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.util.List;

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

  /** The same for some. */
  default void add(Connection connection, Message... messages) {
    add(connection, List.of(messages));
  }

  /**
   * Runs the logic and adds the messages in one transaction of its own, and wakes the relay of this
   * process. What the logic throws is thrown on after a rollback.
   *
   * @throws StoreException when it was not committed, or that is unknown; the message says which
   */
  <T, X extends Exception> T executeWithOutbox(OutboxWork<T, X> logic, Message... messages)
      throws X;

  /** Wakes the relay of this process; it would look by itself, but later. */
  void ring();

  /** What a relay publishes from. */
  OutboxStore store();

  /** For operators. */
  OutboxOperations operations();
}
