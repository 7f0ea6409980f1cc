package dev.semel.kafka;

import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.internal.Ids;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.SqliteStore;
import dev.semel.junit.Patience;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import dev.semel.transport.spi.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Positions in a real database, and consumers that join and leave. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class KafkaPositionsTest {
  private static final Duration LIMIT = Patience.LIMIT;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private SqliteStore store;

  @SuppressWarnings("NullAway.Init")
  private JdbcInbox inbox;

  private final String topic = "p." + Ids.uuid7();

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder.resolve("inbox.db"), InstantSource.system());
    inbox = JdbcInbox.on(store);
  }

  @AfterEach
  void close() {
    inbox.close();
    store.close();
  }

  private static KafkaTransport connect(KafkaService kafka, int partitions, String... options) {
    KafkaSettings settings =
        KafkaUnderTest.settings(kafka).withTopics(TopicSettings.of(partitions).withReplicas(1, 1));
    for (int i = 0; i < options.length; i += 2) {
      settings = settings.withOption(options[i], options[i + 1]);
    }
    return KafkaTransport.connect(settings);
  }

  private Subscription subscribe(KafkaTransport transport) {
    return transport.subscribe(topic, "c", SubscribeSettings.defaults(), inbox.positions());
  }

  private static List<LogPosition> places(List<Delivery> deliveries) {
    return deliveries.stream().map(each -> each.place().orElseThrow()).toList();
  }

  @Test
  void theDatabaseSaysWhereToGoOnAndAZombieIsToldSo(KafkaService kafka)
      throws InterruptedException {
    try (KafkaTransport transport = connect(kafka, 1)) {
      IntStream.range(0, 4).forEach(i -> get(transport.publish(Message.of(topic, "m" + i))));
      ConsumerPositions positions = inbox.positions();
      List<Delivery> old;
      try (Subscription reader = subscribe(transport)) {
        List<Delivery> got = receiveAtLast(reader, 2);
        assertThat(places(got))
            .containsExactly(
                new LogPosition(topic + "/0", "", "1"), new LogPosition(topic + "/0", "1", "2"));
        positions.advance("c", places(got).subList(0, 1));
        reader.acknowledge(got); // moves nothing: the database does not know the second
        old = got;
      }
      try (Subscription reader = subscribe(transport)) {
        List<Delivery> got = receiveAtLast(reader, 3);
        assertThat(texts(got)).containsExactly("m1", "m2", "m3");
        positions.advance("c", places(got).subList(0, 2));
        assertThatThrownBy(() -> positions.advance("c", places(old).subList(1, 2)))
            .isInstanceOf(PositionMoved.class);
        reader.reposition();
        assertThat(texts(receiveAtLast(reader, 1))).containsExactly("m3");
        assertThat(reader.lag()).isEqualTo(1);
      }
    }
  }

  /** Effects without ids: only the positions prevent duplicates. */
  private ConsumerInbox withoutIds(List<String> effects) {
    return new ConsumerInbox() {
      @Override
      public List<HandleResult> take(List<Message> messages) {
        throw new IllegalStateException("without places");
      }

      @Override
      public List<HandleResult> take(List<Message> messages, List<LogPosition> places) {
        // Stands for one transaction: all steps or none, and the rest can't fail.
        inbox.positions().advance("c", LogPosition.reached(places, i -> true));
        messages.forEach(each -> effects.add(each.id()));
        return messages.stream().<HandleResult>map(each -> new HandleResult.Done()).toList();
      }
    };
  }

  private MessageConsumer consumer(KafkaTransport transport, ConsumerInbox consumerInbox) {
    return MessageConsumer.start(
        "c",
        subscribe(transport),
        consumerInbox,
        DeadLetters.to(transport, "dead"),
        ConsumerSettings.defaults().withBatch(10));
  }

  @Test
  @Tag("proof")
  void membersComeAndGoAndNothingTakesEffectTwiceByThePositionsAlone(
      KafkaService kafka, TestReporter report) {
    int count = 3000;
    List<String> sent = Collections.synchronizedList(new ArrayList<>());
    List<String> effects = Collections.synchronizedList(new ArrayList<>());
    try (KafkaTransport transport = connect(kafka, 4)) {
      ConsumerInbox consumerInbox = withoutIds(effects);
      try (MessageConsumer first = consumer(transport, consumerInbox)) {
        for (int i = 0; i < count; i++) {
          Message message = Message.of(topic, "m" + i).withOrderingKey("k" + i % 20);
          sent.add(message.id());
          var unused = transport.publish(message);
          if (i % 500 == 250) {
            get(transport.publish(message.withId(message.id() + "-also")));
            sent.add(message.id() + "-also");
            consumer(transport, consumerInbox).close(); // two rebalances
          }
        }
        await().untilAsserted(() -> assertThat(effects).hasSizeGreaterThanOrEqualTo(sent.size()));
        assertThat(first.counts().done()).isPositive();
      }
    }
    report.publishEntry("messages", "" + sent.size());
    assertThat(effects).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
  }

  @Test
  void aHandlerMayTakeLongerThanTheGroupWaitsForAPoll(KafkaService kafka)
      throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(2);
    try (KafkaTransport transport = connect(kafka, 1, "max.poll.interval.ms", "1500")) {
      ConsumerInbox slow =
          inbox.consumerInbox(
              "c",
              (connection, message) -> {
                runs.incrementAndGet();
                TimeUnit.SECONDS.sleep(4); // the handler works for longer than the group would wait
                done.countDown();
              });
      get(transport.publish(Message.of(topic, "m0").withOrderingKey("k")));
      try (MessageConsumer consumer = consumer(transport, slow)) {
        await().until(() -> runs.get() == 1);
        get(transport.publish(Message.of(topic, "m1").withOrderingKey("k")));
        assertThat(done.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        await().until(() -> consumer.counts().done() == 2);
        assertThat(consumer.counts().unconfirmed())
            .as("its partition was never taken away")
            .isZero();
      }
    }
    assertThat(runs).hasValue(2);
  }
}
