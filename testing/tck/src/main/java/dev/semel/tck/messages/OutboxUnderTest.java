package dev.semel.tck.messages;

import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.tck.StoreUnderTest;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.OptionalLong;

/** An outbox under test, and control of its clock. Each test gets an empty one. */
public interface OutboxUnderTest {
  OutboxStore store();

  /** The operations of an outbox with history. */
  OutboxOperations operations();

  /** The largest payload. */
  default int maxPayloadBytes() {
    return 1 << 20;
  }

  /** The number of dead letters. */
  default long dead() {
    return operations().status().dead();
  }

  /** The number of kept published messages; empty: the outbox has no history. */
  default OptionalLong kept() {
    return OptionalLong.of(operations().status().kept());
  }

  /** Adds messages, and returns once they are committed. */
  void add(Message... messages);

  /** Lets time pass, as {@link StoreUnderTest#elapse}. */
  void elapse(Duration d);
}
