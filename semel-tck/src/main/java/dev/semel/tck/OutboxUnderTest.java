package dev.semel.tck;

import dev.semel.outbox.OutboxOperations;
import dev.semel.outbox.OutboxStore;
import dev.semel.transport.Message;
import java.time.Duration;

/** An outbox that keeps its history, and a hand on its clock. Each test gets an empty one. */
public interface OutboxUnderTest {
  OutboxStore store();

  OutboxOperations operations();

  /** Returns once they are committed. */
  void add(Message... messages);

  /** As in {@link StoreUnderTest#elapse}. */
  void elapse(Duration d);
}
