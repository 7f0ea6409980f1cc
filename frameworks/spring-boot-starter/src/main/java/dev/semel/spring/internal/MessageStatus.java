package dev.semel.spring.internal;

import dev.semel.inbox.ConsumerCounts;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.outbox.Relay;
import dev.semel.outbox.spi.OutboxOperations;
import java.util.Map;
import java.util.Optional;

/** Outbox, inbox and who works on them here, for those who show it. */
public interface MessageStatus {
  Optional<OutboxOperations> outbox();

  Optional<InboxOperations> inbox();

  Optional<Relay> relay();

  Map<String, ConsumerCounts> consumers();
}
