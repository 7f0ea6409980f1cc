package dev.semel.inbox.spi;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.util.List;

/**
 * Handles the messages of one consumer, so that each takes effect once. Safe for use by many
 * threads.
 */
@FunctionalInterface
public interface ConsumerInbox {
  /**
   * Handles messages in order. The effects of messages that are done are committed.
   *
   * @return the result of each, in the same order
   * @throws StoreException the database does not answer; the results are unknown, and the messages
   *     may be handed in again
   */
  List<HandleResult> take(List<Message> messages);

  /**
   * Handles messages from logs: the consumer's position moves along with the effects, in each
   * partition up to the first unfinished message.
   *
   * @param places of each message, in the same order
   * @throws dev.semel.transport.spi.PositionMoved another reader has read on: nothing took effect
   */
  default List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
    throw new UnsupportedOperationException(
        "this intake keeps no positions: subscribe without them, or take one that does");
  }
}
