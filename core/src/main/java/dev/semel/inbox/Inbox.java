package dev.semel.inbox;

import dev.semel.StoreException;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import java.sql.Connection;

/**
 * Makes messages take effect once: a message's id commits together with its handler's writes. Safe
 * for use by many threads.
 */
public interface Inbox {
  /**
   * Lets one message take effect in the caller's transaction: its id is recorded if and only if
   * that transaction commits. A concurrent call with the same message waits for that, and then
   * finds a duplicate, or runs the handler if the first transaction rolled back. A duplicate leaves
   * the transaction as it was. If the handler throws, its writes and the id are undone and the
   * exception passes through, so that the caller may still continue and commit.
   *
   * @return done or duplicate; it holds once the caller has committed
   * @throws Exception the handler's exception
   * @throws MessageTooOld when the inbox dropped the ids of its time; the caller may continue, as
   *     after a duplicate
   * @throws IllegalStateException when there is no transaction because automatic commits are on
   * @throws StoreException when the database does not answer, or wants the transaction repeated:
   *     roll back, and begin again
   */
  HandleResult handle(
      Connection connection, String consumer, Message message, MessageHandler handler)
      throws Exception;

  /**
   * Handles messages in its own transactions, many per transaction; for a {@link MessageConsumer}.
   * If a handler fails, only its writes are undone, and later messages with its ordering key wait.
   */
  ConsumerInbox consumerInbox(String consumer, MessageHandler handler);

  /** The positions of consumers in logs; pass it to a subscription. */
  ConsumerPositions positions();

  /** The inbox for operators. */
  InboxOperations operations();
}
