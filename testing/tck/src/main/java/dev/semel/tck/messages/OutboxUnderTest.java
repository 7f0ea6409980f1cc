package dev.semel.tck.messages;

import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.tck.StoreUnderTest;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.OptionalLong;

/** An outbox, and a hand on its clock. Each test gets an empty one. */
public interface OutboxUnderTest {
  OutboxStore store();

  /** Of one that keeps its history. */
  OutboxOperations operations();

  /** How much a message may hold. */
  default int maxPayloadBytes() {
    return 1 << 20;
  }

  /** How many dead letters there are. */
  default long dead() {
    return operations().status().dead();
  }

  /** How many published messages are kept; empty: it keeps no history. */
  default OptionalLong kept() {
    return OptionalLong.of(operations().status().kept());
  }

  /** Returns once they are committed. */
  void add(Message... messages);

  /** As in {@link StoreUnderTest#elapse}. */
  void elapse(Duration d);
}
