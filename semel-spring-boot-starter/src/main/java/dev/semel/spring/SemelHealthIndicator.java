package dev.semel.spring;

import dev.semel.StoreException;
import dev.semel.idempotency.Store;
import dev.semel.outbox.OutboxOperations;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down when the store can't be asked: nothing is executed then. Out of service, unless told
 * otherwise, when messages wait in the outbox for too long: they are not lost, but nobody relays
 * them.
 */
final class SemelHealthIndicator implements HealthIndicator {
  private final Store store;
  private final Optional<MessageStatus> messages;
  private final SemelProperties.HealthProperties properties;

  SemelHealthIndicator(
      Store store, Optional<MessageStatus> messages, SemelProperties.HealthProperties properties) {
    this.store = store;
    this.messages = messages;
    this.properties = properties;
  }

  @Override
  public Health health() {
    try {
      store.now();
      Health.Builder health = Health.up().withDetail("store", store.describe());
      messages
          .flatMap(MessageStatus::outbox)
          .map(OutboxOperations::status)
          .ifPresent(status -> outbox(health, status));
      return health.build();
    } catch (StoreException e) {
      return Health.down(e).build();
    }
  }

  private void outbox(Health.Builder health, OutboxOperations.Status status) {
    Duration oldest = status.oldest().orElse(Duration.ZERO);
    health
        .withDetail("outboxPending", status.pending())
        .withDetail("outboxDead", status.dead())
        .withDetail("outboxOldest", oldest.toString());
    if (oldest.compareTo(properties.maxOutboxAge()) > 0) {
      health.withDetail(
          "late",
          "a message has waited for longer than semel.health.max-outbox-age (%s): see that a relay runs and that the broker takes messages"
              .formatted(properties.maxOutboxAge()));
      switch (properties.lateStatus()) {
        case DOWN -> health.down();
        case OUT_OF_SERVICE -> health.outOfService();
        case UP -> health.up();
      }
    }
  }
}
