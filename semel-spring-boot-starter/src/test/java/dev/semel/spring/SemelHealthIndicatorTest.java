package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.idempotency.MemoryStore;
import dev.semel.inbox.ConsumerCounts;
import dev.semel.inbox.InboxOperations;
import dev.semel.outbox.OutboxOperations;
import dev.semel.outbox.Relay;
import dev.semel.spring.SemelProperties.HealthProperties;
import dev.semel.spring.SemelProperties.HealthProperties.LateStatus;
import dev.semel.transport.Message;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class SemelHealthIndicatorTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Test
  void anOutboxThatIsLateIsOutOfServiceUnlessToldOtherwise() {
    assertThat(status(LIMIT, LateStatus.OUT_OF_SERVICE)).isEqualTo(Status.UP);
    Duration late = LIMIT.plusSeconds(1);
    assertThat(status(late, LateStatus.OUT_OF_SERVICE)).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(status(late, LateStatus.DOWN)).isEqualTo(Status.DOWN);
    assertThat(status(late, LateStatus.UP)).isEqualTo(Status.UP);
  }

  private static Status status(Duration oldest, LateStatus wanted) {
    Health health =
        new SemelHealthIndicator(
                new MemoryStore(InstantSource.system()),
                Optional.of(new Waiting(oldest)),
                new HealthProperties(LIMIT, wanted))
            .health();
    assertThat(health.getDetails()).containsEntry("outboxPending", 1L);
    return health.getStatus();
  }

  private record Waiting(Duration oldest) implements MessageStatus, OutboxOperations {
    @Override
    public OutboxOperations.Status status() {
      return new OutboxOperations.Status(1, 0, 0, 0, Optional.of(oldest), List.of(), List.of());
    }

    @Override
    public Optional<OutboxOperations> outbox() {
      return Optional.of(this);
    }

    @Override
    public Optional<InboxOperations> inbox() {
      return Optional.empty();
    }

    @Override
    public Optional<Relay> relay() {
      return Optional.empty();
    }

    @Override
    public Map<String, ConsumerCounts> consumers() {
      return Map.of();
    }

    @Override
    public Page list(State state, Filter filter, String cursor, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Entry> about(Key key, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long retriable(Filter filter) {
      return 0;
    }

    @Override
    public long retry(Filter filter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Message> read(String destination, String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean retry(String destination, String id, byte[] payload) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long replay(Filter filter, boolean newIds) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long purge(State state, Filter filter) {
      throw new UnsupportedOperationException();
    }
  }
}
