package dev.semel.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A consumer of logs, whose positions are in its database. */
class ConsumerPositionsTest {
  private static final ConsumerSettings SETTINGS =
      ConsumerSettings.defaults().withRetries(3, Duration.ofMillis(1), Duration.ofMillis(2));

  private final Table table = new Table();
  private final Log log = new Log(table);
  private final List<String> buried = new CopyOnWriteArrayList<>();
  private final DeadLetters deadLetters =
      (consumer, message, attempts, reason) -> buried.add(message.id());

  private MessageConsumer start(ConsumerInbox consumerInbox) {
    return MessageConsumer.start("ledger", log, consumerInbox, deadLetters, SETTINGS);
  }

  /** Moves the positions as an inbox does: up to the first that is not over. */
  private ConsumerInbox handling(Function<Message, HandleResult> handler) {
    return new ConsumerInbox() {
      @Override
      public List<HandleResult> take(List<Message> messages) {
        throw new AssertionError("the places were left out");
      }

      @Override
      public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
        List<HandleResult> outcomes = messages.stream().map(handler).toList();
        table.advance("ledger", LogPosition.reached(places, i -> outcomes.get(i).isOver()));
        return outcomes;
      }
    };
  }

  private static HandleResult failing(boolean forGood) {
    return new HandleResult.Failed(new IllegalStateException("no"), forGood);
  }

  @Test
  void theConsumerInboxIsGivenEachMessagesPlace() {
    List<LogPosition> seen = new CopyOnWriteArrayList<>();
    log.add("x", "a", "b").add("y", "c");
    ConsumerInbox consumerInbox =
        new ConsumerInbox() {
          @Override
          public List<HandleResult> take(List<Message> messages) {
            throw new AssertionError("the places were left out");
          }

          @Override
          public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
            seen.addAll(places);
            return messages.stream().<HandleResult>map(m -> new HandleResult.Done()).toList();
          }
        };
    try (MessageConsumer consumer = start(consumerInbox)) {
      await().until(() -> consumer.counts().done() == 3);
    }
    assertThat(seen)
        .containsExactly(
            new LogPosition("x", "", "1"),
            new LogPosition("x", "1", "2"),
            new LogPosition("y", "", "1"));
    assertThat(table.at).as("what the intake does is not done again").isEmpty();
  }

  @Test
  void aDeadLetterMovesThePositionOn() {
    log.add("x", "good", "bad", "better").add("y", "other");
    try (MessageConsumer consumer =
        start(handling(m -> m.id().equals("bad") ? failing(true) : new HandleResult.Done()))) {
      await().until(() -> log.acknowledged.size() == 4);
      assertThat(consumer.counts().dead()).isOne();
    }
    assertThat(buried).containsExactly("bad");
    assertThat(table.at).isEqualTo(Map.of("x", "3", "y", "1"));
  }

  @Test
  void aFailedMessageStopsThePositionOfItsOwnPartition() {
    AtomicInteger failures = new AtomicInteger(1);
    log.add("x", "good", "bad", "better").add("y", "other");
    List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
    log.onAcknowledge = () -> seen.add(Map.copyOf(table.at));
    try (MessageConsumer consumer =
        start(
            handling(
                m ->
                    m.id().equals("bad") && failures.getAndDecrement() > 0
                        ? failing(false)
                        : new HandleResult.Done()))) {
      await().until(() -> consumer.counts().received() >= 4);
      await().until(() -> !seen.isEmpty());
      assertThat(seen.getFirst()).isEqualTo(Map.of("x", "1", "y", "1"));
      assertThat(log.acknowledged).doesNotContain("bad");
      assertThat(log.retried).containsExactly("bad");
    }
    assertThat(buried).isEmpty();
  }

  @Test
  void aDeadLetterBehindAFailureDoesNotMoveThePosition() {
    log.add("x", "later", "dead");
    try (MessageConsumer consumer = start(handling(m -> failing(m.id().equals("dead"))))) {
      await().until(() -> consumer.counts().dead() == 1);
      await().until(() -> log.acknowledged.contains("dead"));
    }
    assertThat(table.at).isEmpty();
  }

  @Test
  void whereAnotherHasReadOnNothingIsAcknowledgedAndTheLogIsAskedAgain() {
    table.at.put("x", "2");
    log.add("x", "a", "b", "c");
    AtomicInteger handled = new AtomicInteger();
    try (MessageConsumer consumer =
        start(
            handling(
                m -> {
                  handled.incrementAndGet();
                  return new HandleResult.Done();
                }))) {
      await().until(() -> log.repositioned.get() == 1);
      assertThat(log.acknowledged).isEmpty();
      assertThat(log.retried).containsExactly("a", "b", "c");
      assertThat(consumer.counts().done()).isZero();
    }
    assertThat(table.at).isEqualTo(Map.of("x", "2"));
    assertThat(handled).hasValue(3);
  }

  @Test
  void aDatabaseThatIsAwayIsNoReasonToAskTheLogAgain() {
    AtomicInteger calls = new AtomicInteger();
    log.add("x", "a");
    ConsumerInbox away =
        new ConsumerInbox() {
          @Override
          public List<HandleResult> take(List<Message> messages) {
            throw new AssertionError("the places were left out");
          }

          @Override
          public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
            calls.incrementAndGet();
            throw new StoreException("away");
          }
        };
    try (MessageConsumer consumer = start(away)) {
      await().until(() -> !log.retried.isEmpty());
      assertThat(consumer.counts().done()).isZero();
    }
    assertThat(calls).hasPositiveValue();
    assertThat(log.repositioned).hasValue(0);
    assertThat(log.acknowledged).isEmpty();
  }

  /** The dead letter is there already; that it comes again is better than to lose the place. */
  @Test
  void ifThePositionCantBeMovedPastADeadLetterItComesAgain() {
    table.failing = true;
    log.add("x", "bad");
    try (MessageConsumer consumer = start(handling(m -> failing(true)))) {
      await().until(() -> log.repositioned.get() == 1);
      assertThat(log.acknowledged).isEmpty();
      assertThat(consumer.counts().dead()).isOne();
    }
    assertThat(table.at).isEmpty();
  }

  /** Positions by partition, compared and set. */
  private static final class Table implements ConsumerPositions {
    private final Map<String, String> at = new ConcurrentHashMap<>();
    private volatile boolean failing;

    @Override
    public Map<String, String> read(String consumer, Set<String> partitions) {
      throw new UnsupportedOperationException("the log knows");
    }

    @Override
    public void advance(String consumer, List<LogPosition> steps) {
      if (failing && !steps.isEmpty()) {
        throw new StoreException("away");
      }
      for (LogPosition step : steps) {
        if (!at.getOrDefault(step.partition(), "").equals(step.from())) {
          throw new PositionMoved("it does not stand there");
        }
      }
      steps.forEach(step -> at.put(step.partition(), step.next()));
    }

    @Override
    public Share share(String consumer, String member, Set<String> partitions, Duration lease) {
      throw new UnsupportedOperationException("nobody shares");
    }

    @Override
    public void release(String consumer, String member, Set<String> partitions) {}

    @Override
    public void leave(String consumer, String member) {}
  }

  /** Hands everything out once, in one batch, and notes what is said of it. */
  private static final class Log implements Subscription {
    private final ConsumerPositions positions;
    private final Queue<Delivery> waiting = new ArrayDeque<>();
    private final Map<String, Integer> ends = new ConcurrentHashMap<>();
    private final List<String> acknowledged = new CopyOnWriteArrayList<>();
    private final List<String> retried = new CopyOnWriteArrayList<>();
    private final AtomicInteger repositioned = new AtomicInteger();
    private volatile Runnable onAcknowledge = () -> {};

    Log(ConsumerPositions positions) {
      this.positions = positions;
    }

    Log add(String partition, String... ids) {
      for (String id : ids) {
        int number = ends.merge(partition, 1, Integer::sum);
        String from = number == 1 ? "" : "" + (number - 1);
        waiting.add(delivery(id, new LogPosition(partition, from, "" + number)));
      }
      return this;
    }

    private Delivery delivery(String id, LogPosition place) {
      return new Delivery() {
        @Override
        public Message message() {
          return Message.of("orders", id).withId(id);
        }

        @Override
        public Optional<LogPosition> place() {
          return Optional.of(place);
        }

        @Override
        public long attempt() {
          return 1;
        }

        @Override
        public void acknowledge() {
          onAcknowledge.run();
          acknowledged.add(id);
        }

        @Override
        public void retry(Duration pause) {
          retried.add(id);
        }

        @Override
        public void extend() {}
      };
    }

    @Override
    public List<Delivery> receive(int limit, Duration patience) {
      List<Delivery> batch = new ArrayList<>();
      while (!waiting.isEmpty() && batch.size() < limit) {
        batch.add(waiting.remove());
      }
      if (batch.isEmpty()) {
        LockSupport.parkNanos(1_000_000);
      }
      return batch;
    }

    @Override
    public Optional<ConsumerPositions> positions() {
      return Optional.of(positions);
    }

    @Override
    public void reposition() {
      repositioned.incrementAndGet();
    }

    @Override
    public long lag() {
      return waiting.size();
    }

    @Override
    public void close() {}
  }
}
