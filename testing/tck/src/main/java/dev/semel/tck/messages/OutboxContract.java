package dev.semel.tck.messages;

import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Helpers that the parts of the outbox's contract share. */
abstract class OutboxContract {
  /** A lease that ends during a test. */
  static final Duration SHORT = Duration.ofMillis(300);

  /** A lease that does not end during a test, however slow the machine. */
  static final Duration LONG = Duration.ofMinutes(10);

  protected abstract OutboxUnderTest outbox();

  OutboxStore store() {
    return outbox().store();
  }

  OutboxOperations operations() {
    return outbox().operations();
  }

  void add(Message... messages) {
    outbox().add(messages);
  }

  static Message message(String id) {
    return Message.of("orders", "payload of " + id).withId(id);
  }

  static Message message(String id, String orderingKey) {
    return message(id).withOrderingKey(orderingKey);
  }

  Set<Integer> beat(String relay, Duration lease) {
    return store().heartbeat(relay, lease, RelayCounts.NONE).partitions();
  }

  static ReadRange all(int partition) {
    return new ReadRange(partition, 0, Set.of(), Set.of());
  }

  /** Reads everything in the queue. */
  List<OutboxEntry> readAll() {
    return store()
        .read(
            IntStream.range(0, OutboxStore.PARTITIONS).mapToObj(OutboxContract::all).toList(),
            1000);
  }

  OutboxEntry read(String id) {
    return readAll().stream().filter(q -> q.message().id().equals(id)).findFirst().orElseThrow();
  }

  static List<String> ids(List<OutboxEntry> messages) {
    List<String> ids = new ArrayList<>();
    messages.forEach(q -> ids.add(q.message().id()));
    return ids;
  }
}
