package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OnOutage;
import dev.semel.inbox.ConsumerCounts;
import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.spring.SemelProperties.HealthProperties;
import dev.semel.spring.internal.MessageStatus;
import dev.semel.transport.Message;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class SemelHealthIndicatorTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final AtomicLong clock = new AtomicLong();

  private static HealthProperties properties(Set<HealthReason> outOfServiceOn) {
    return new HealthProperties(
        LIMIT, 100, Duration.ofHours(1), Duration.ofMinutes(1), outOfServiceOn, true);
  }

  private SemelHealthIndicator indicator(
      MessageStatus messages, HealthProperties properties, HealthWatch watch) {
    return new SemelHealthIndicator(
        new MemoryStore(InstantSource.system()),
        Optional.of(messages),
        watch,
        properties,
        OnOutage.FAIL_CLOSED);
  }

  private Health health(Waiting messages, HealthReason... outOfServiceOn) {
    HealthProperties properties = properties(Set.of(outOfServiceOn));
    return indicator(messages, properties, new HealthWatch(properties, clock::get)).health();
  }

  private static Set<String> reasons(Health health) {
    return health.getDetails().get("reasons") instanceof Map<?, ?> reasons
        ? reasons.keySet().stream().map(String::valueOf).collect(Collectors.toSet())
        : Set.of();
  }

  @Test
  void anOutboxThatIsLateDegradesUnlessToldOtherwise() {
    Health inTime = health(new Waiting(LIMIT, 0));
    assertThat(inTime.getStatus()).isEqualTo(Status.UP);
    assertThat(inTime.getDetails())
        .containsEntry("outbox_pending", 1L)
        .containsEntry("outboxPending", 1L)
        .doesNotContainKey("reasons");
    Waiting late = new Waiting(LIMIT.plusSeconds(1), 0);
    assertThat(health(late).getStatus()).isEqualTo(SemelHealthIndicator.DEGRADED);
    assertThat(reasons(health(late))).containsExactly("outbox-late");
    assertThat(health(late, HealthReason.DEAD_LETTERS).getStatus())
        .isEqualTo(SemelHealthIndicator.DEGRADED);
    assertThat(health(late, HealthReason.OUTBOX_LATE).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
  }

  @Test
  void aConsumerForWhichTooManyMessagesWaitIsLate() {
    assertThat(health(new Waiting(Duration.ZERO, 100)).getStatus()).isEqualTo(Status.UP);
    assertThat(reasons(health(new Waiting(Duration.ZERO, 101)))).containsExactly("consumer-late");
  }

  @Test
  void whatWasMetIsForgottenAfterAWhile() {
    HealthProperties properties = properties(Set.of());
    HealthWatch watch = new HealthWatch(properties, clock::get);
    SemelHealthIndicator indicator = indicator(new Waiting(Duration.ZERO, 0), properties, watch);
    watch.on(new Event.DeadLettered(new Event.Mention("1", "orders", "ledger", ""), "no"));
    watch.on(new Event.Unrecorded(Key.of("mail", "1"), "", 1));
    watch.and("ledger", ConsumerListener.NONE).troubled(new StoreException("no broker"));
    watch.and(RelayListener.NONE).troubled(new StoreException("no broker"));
    assertThat(reasons(indicator.health()))
        .containsExactlyInAnyOrder(
            "dead-letters", "in-doubt", "consumer-troubled", "relay-troubled");
    clock.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(reasons(indicator.health())).containsExactlyInAnyOrder("dead-letters", "in-doubt");
    clock.addAndGet(Duration.ofMinutes(59).toNanos());
    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void aMessageThatGoesThroughEndsTheTrouble() {
    HealthProperties properties = properties(Set.of());
    HealthWatch watch = new HealthWatch(properties, clock::get);
    ConsumerListener ledger = watch.and("ledger", ConsumerListener.NONE);
    Message message = Message.of("orders", "x");
    ledger.handled(message, new HandleResult.Failed(new IllegalStateException("4711"), false));
    assertThat(watch.consumerTroubles()).containsEntry("ledger", "IllegalStateException");
    ledger.handled(message, new HandleResult.Done());
    assertThat(watch.consumerTroubles()).isEmpty();
  }

  @Test
  void namesThatAreMetAreLimited() {
    HealthWatch watch = new HealthWatch(properties(Set.of()), clock::get);
    for (int i = 0; i < HealthWatch.MAX_NAMES + 10; i++) {
      watch.on(new Event.Unrecorded(Key.of("operation-" + i, "1"), "", 1));
    }
    assertThat(watch.inDoubt()).hasSize(HealthWatch.MAX_NAMES + 1);
    assertThat(watch.inDoubt())
        .containsEntry(HealthWatch.OTHERS, new HealthWatch.Met(10, Duration.ZERO));
  }

  private record Waiting(Duration oldest, long lag) implements MessageStatus, OutboxOperations {
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
      return Map.of("ledger", new ConsumerCounts(0, 0, 0, 0, 0, 0, lag));
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
