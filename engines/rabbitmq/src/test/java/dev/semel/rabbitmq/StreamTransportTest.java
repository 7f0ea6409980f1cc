package dev.semel.rabbitmq;

import static dev.semel.tck.messages.TransportCalls.LIMIT;
import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.SqliteStore;
import dev.semel.junit.Patience;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedServices.class)
@SuppressWarnings("NullAway.Init")
final class StreamTransportTest {
  private final String destination = "test." + Ids.uuid7();

  @TempDir private Path folder;

  private SqliteStore store;
  private JdbcInbox inbox;

  @BeforeEach
  void openDatabase() {
    store = SqliteStore.open(folder.resolve("inbox.db"), InstantSource.system());
    inbox = JdbcInbox.on(store);
  }

  @AfterEach
  void closeDatabase() {
    inbox.close();
    store.close();
  }

  private RabbitStreamTransport connect(RabbitStreamSettings settings) {
    return RabbitStreamTransport.connect(settings, inbox.positions());
  }

  private Message message(String text) {
    return Message.of(destination, text);
  }

  private Subscription subscribe(RabbitStreamTransport transport) {
    return transport.subscribe(destination, "c", SubscribeSettings.defaults());
  }

  @Test
  @Tag("service")
  void withoutPositionsNobodyCanSubscribe(RabbitService rabbit) {
    try (RabbitStreamTransport transport =
        RabbitStreamTransport.connect(StreamsUnderTest.settings(rabbit))) {
      assertThatThrownBy(() -> subscribe(transport))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("positions");
    }
  }

  @Test
  @Tag("service")
  void anotherNumberOfPartitionsIsRefused(RabbitService rabbit) {
    RabbitStreamSettings settings =
        StreamsUnderTest.settings(rabbit).withPartitions(2).withDestination(destination);
    connect(settings).close();
    for (int partitions : List.of(1, 3)) {
      assertThatThrownBy(() -> connect(settings.withPartitions(partitions)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("than " + partitions + " partitions");
    }
    connect(settings.verifyOnly()).close();
  }

  @Test
  @Tag("service")
  void aWrongPasswordIsSaidWithoutShowingIt(RabbitService rabbit) {
    String url = "rabbitmq-stream://guest:opensesame@127.0.0.1:" + rabbit.streamPort();
    assertThatThrownBy(() -> connect(RabbitStreamSettings.of(url)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("guest")
        .hasMessageNotContaining("opensesame");
  }

  @Test
  @Tag("service")
  void whoeverComesBackUnderItsNameCountsOn(RabbitService rabbit) throws InterruptedException {
    RabbitStreamSettings settings =
        StreamsUnderTest.settings(rabbit).withProducer("relay-1").withDestination(destination);
    List<String> sent = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      try (RabbitStreamTransport transport = connect(settings)) {
        for (int i = 0; i < 5; i++) {
          sent.add(life + "-" + i);
          get(transport.publish(message(life + "-" + i)));
        }
      }
    }
    try (RabbitStreamTransport transport = connect(settings);
        Subscription reader = subscribe(transport)) {
      assertThat(texts(receiveAtLast(reader, 15))).containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  @Test
  @Tag("service")
  void aMessageWhoseConfirmationWasLostIsADuplicateWhenItIsSentAgain() throws Exception {
    try (RabbitService own = RabbitService.start()) {
      RabbitStreamSettings settings =
          StreamsUnderTest.settings(own)
              .withDestination(destination)
              .withPublishTimeout(Duration.ofSeconds(1));
      try (RabbitStreamTransport transport = connect(settings)) {
        get(transport.publish(message("first").withOrderingKey("k")));
        Message slow = message("slow").withOrderingKey("k");
        own.freeze();
        PublishFailed failed =
            catchThrowableOfType(PublishFailed.class, () -> get(transport.publish(slow)));
        own.thaw();
        assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
        try (RabbitStreamTransport another = connect(settings.withProducer("another"));
            Subscription reader = subscribe(another)) {
          // One by one, because unacknowledged messages may be redelivered while the broker wakes
          // up.
          for (String there : List.of("first", "slow")) {
            List<Delivery> got = receiveAtLast(reader, 1);
            assertThat(texts(got)).containsExactly(there);
            reader.acknowledge(got);
          }
          assertThat(untilAnswered(transport, slow).duplicate()).isTrue();
          Message next = message("next").withOrderingKey("k");
          assertThat(untilAnswered(transport, next).duplicate()).isFalse();
          assertThat(texts(receiveAtLast(reader, 1))).containsExactly("next");
        }
      }
    }
  }

  private static PublishResult untilAnswered(RabbitStreamTransport transport, Message message) {
    return await()
        .ignoreException(PublishFailed.class)
        .until(() -> get(transport.publish(message)), answer -> true);
  }

  @Test
  @Tag("proof")
  void nothingIsLostWhileTheBrokerIsKilledBetweenMessages(TestReporter report) throws Exception {
    try (RabbitService own = RabbitService.start()) {
      RabbitStreamSettings settings =
          StreamsUnderTest.settings(own)
              .withDestination(destination)
              .withPublishTimeout(Duration.ofSeconds(2));
      try (RabbitStreamTransport transport = connect(settings)) {
        Patience.pass(StoppableRabbit.QUEUES_WRITTEN);
        List<Message> open = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
          Message message = message("m" + i);
          open.add(message);
          ids.add(message.id());
        }
        int failures = 0;
        long start = System.nanoTime();
        while (!open.isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
          List<CompletionStage<PublishResult>> sent =
              open.stream().map(transport::publish).toList();
          if (failures == 0) {
            own.restart();
          }
          List<Message> again = new ArrayList<>();
          for (int i = 0; i < sent.size(); i++) {
            try {
              get(sent.get(i));
            } catch (PublishFailed e) {
              assertThat(e.kind()).isNotEqualTo(Kind.REFUSED);
              failures++;
              again.add(open.get(i));
            }
          }
          failures = Math.max(1, failures);
          open = again;
        }
        assertThat(open).isEmpty();
        report.publishEntry(Map.of("kills", "1", "messages", "" + ids.size()));
        List<String> got = new ArrayList<>();
        try (Subscription reader = subscribe(transport)) {
          while (!got.containsAll(ids)) {
            List<Delivery> some = receiveAtLast(reader, 1);
            assertThat(some).isNotEmpty();
            some.forEach(each -> got.add(each.message().id()));
            reader.acknowledge(some);
          }
        }
      }
    }
  }

  @Test
  @Tag("service")
  void whatCouldNotBeTakenIsTheNextOneAgain(RabbitService rabbit) {
    RabbitStreamSettings settings =
        StreamsUnderTest.settings(rabbit).withPartitions(1).withDestination(destination);
    List<Long> taken = new ArrayList<>();
    try (RabbitStreamTransport transport = connect(settings);
        StreamLink link = StreamLink.open(settings.server(), settings.publishTimeout());
        PartitionStream partition =
            new PartitionStream(
                link.require(), RabbitNames.stream(destination, "0"), "", () -> {})) {
      get(transport.publish(message("m0")));
      get(transport.publish(message("m1")));
      await().until(() -> !partition.isEmpty());
      assertThatThrownBy(
              () ->
                  partition.next(
                      (offset, message) -> {
                        throw new StoreException("the broker can't be asked");
                      }))
          .isInstanceOf(StoreException.class);
      await()
          .until(
              () -> {
                partition.next((offset, message) -> taken.add(offset));
                return taken.size() == 2;
              });
    }
    assertThat(taken).containsExactly(0L, 1L);
  }

  @Test
  @Tag("service")
  void whatRetentionDroppedUnreadIsAnErrorAndNotAGap(RabbitService rabbit) throws Exception {
    RabbitStreamSettings settings =
        StreamsUnderTest.settings(rabbit)
            .withPartitions(1)
            .withRetention(new RabbitStreamSettings.Retention(Duration.ZERO, 200_000, 100_000));
    try (RabbitStreamTransport transport = connect(settings)) {
      try (Subscription reader = subscribe(transport)) {
        get(transport.publish(message("m")));
        reader.acknowledge(receiveAtLast(reader, 1));
      }
      // Retention drops whole segments, and only when a new one begins.
      for (int i = 0; i < 60; i++) {
        get(transport.publish(Message.of(destination, new byte[20_000])));
      }
      try (Subscription reader = subscribe(transport)) {
        assertThatThrownBy(() -> reader.receive(1, LIMIT))
            .isInstanceOf(PartitionTruncated.class)
            .hasMessageContaining("never received");
      }
    }
  }
}
