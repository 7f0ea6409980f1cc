package dev.semel.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import java.sql.Connection;

/**
 * Messages that take effect once: a message's id commits with what its handler wrote. Safe for many
 * threads.
 */
public interface Inbox {
  /**
   * Lets one message take effect in the caller's transaction: its id is there if and only if that
   * commits. Who hands in the same message at the same time waits for that, and then finds a
   * duplicate, or runs it if the first one rolled back. A duplicate leaves the transaction as it
   * was. What the handler throws is thrown on after its writes and the id were undone, so that the
   * caller may still go on and commit.
   *
   * @return done or duplicate; it is true once the caller has committed
   * @throws Exception what the handler threw
   * @throws MessageTooOld when ids of its time were dropped; the caller may go on, as after a
   *     duplicate
   * @throws IllegalStateException when there is no transaction: automatic commits are on
   * @throws StoreException when the database can't be asked, or wants the transaction repeated:
   *     roll back, and begin anew
   */
  HandleResult handle(
      Connection connection, String consumer, Message message, MessageHandler handler)
      throws Exception;

  /**
   * Takes messages in transactions of its own, many in one; for a {@link MessageConsumer}. A
   * handler that fails is undone alone, and holds back the later messages with its ordering key.
   */
  ConsumerInbox consumerInbox(String consumer, MessageHandler handler);

  /** Where consumers stand in logs, to subscribe with. */
  ConsumerPositions positions();

  /** For operators. */
  InboxOperations operations();
}
