package dev.semel.inbox;

import dev.semel.StoreException;
import dev.semel.transport.Message;
import java.util.List;

/** Lets messages take effect, each once, for one consumer. Safe for many threads. */
@FunctionalInterface
public interface Intake {
  /**
   * Handles them in order. What it calls done is committed.
   *
   * @return what became of each, in the same order
   * @throws StoreException the database can't be asked; what became of them is unknown, and they
   *     may be handed in again
   */
  List<Handled> take(List<Message> messages);
}
