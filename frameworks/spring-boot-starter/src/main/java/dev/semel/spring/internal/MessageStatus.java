package dev.semel.spring.internal;

import dev.semel.inbox.ConsumerCounts;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.outbox.Relay;
import dev.semel.outbox.spi.OutboxOperations;
import java.util.Map;
import java.util.Optional;

/** The outbox, inbox, relay and consumers of this process, for endpoint and health. */
public interface MessageStatus {
  Optional<OutboxOperations> outbox();

  Optional<InboxOperations> inbox();

  Optional<Relay> relay();

  Map<String, ConsumerCounts> consumers();
}
