package dev.semel.inbox.spi;

import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.util.List;

/** Lets messages take effect, each once, for one consumer. Safe for many threads. */
@FunctionalInterface
public interface ConsumerInbox {
  /**
   * Handles them in order. What it calls done is committed.
   *
   * @return what became of each, in the same order
   * @throws StoreException the database can't be asked; what became of them is unknown, and they
   *     may be handed in again
   */
  List<HandleResult> take(List<Message> messages);

  /**
   * The same for messages from logs: where the consumer stands moves along with the effects, in
   * each partition up to the first message that is not over.
   *
   * @param places of each message, in the same order
   * @throws dev.semel.transport.spi.PositionMoved another has read on: nothing took effect
   */
  default List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
    throw new UnsupportedOperationException(
        "this intake keeps no positions: subscribe without them, or take one that does");
  }
}
