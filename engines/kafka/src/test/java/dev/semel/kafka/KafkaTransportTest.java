package dev.semel.kafka;

import static dev.semel.tck.messages.TransportCalls.get;
import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static dev.semel.tck.messages.TransportCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class KafkaTransportTest {
  private static final TopicSettings ONE = TopicSettings.of(1).withReplicas(1, 1);

  private static KafkaSettings settings(KafkaService kafka) {
    return KafkaUnderTest.settings(kafka).withTopics(ONE);
  }

  private static String topic() {
    return "t." + Ids.uuid7();
  }

  @Test
  void aTopicIsMadeAsAskedForAndOneThatIsAnotherIsLeftAlone(KafkaService kafka) {
    String topic = topic();
    try (KafkaTransport transport = KafkaTransport.connect(settings(kafka))) {
      get(transport.publish(Message.of(topic, "x")));
      assertThat(transport.hazards(Duration.ofHours(1)))
          .anyMatch(each -> each.contains(topic) && each.contains("one replica"))
          .anyMatch(each -> each.contains("inbox"));
    }
    KafkaSettings more = settings(kafka).withTopics(TopicSettings.of(3).withReplicas(1, 1));
    try (KafkaTransport transport = KafkaTransport.connect(more)) {
      assertThatThrownBy(() -> transport.subscribe(topic, "c", SubscribeSettings.defaults()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("partitions is 1 and should be 3");
      PublishFailed failed =
          catchThrowableOfType(
              PublishFailed.class, () -> get(transport.publish(Message.of(topic, "y"))));
      assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(failed).hasMessageContaining("left as it is");
    }
    KafkaSettings safe = settings(kafka).withTopics(TopicSettings.of(1));
    try (KafkaTransport transport = KafkaTransport.connect(safe)) {
      assertThatThrownBy(() -> transport.subscribe(topic(), "c", SubscribeSettings.defaults()))
          .as("three replicas on one broker")
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("can't be made");
    }
  }

  @Test
  void whatIsOverTheLimitOrHasNoTopicIsADeadLetterOfTheRelay(KafkaService kafka) {
    String topic = topic();
    MemoryOutbox outbox = new MemoryOutbox();
    try (KafkaTransport maker = KafkaTransport.connect(settings(kafka));
        KafkaTransport transport =
            KafkaTransport.connect(
                KafkaUnderTest.settings(kafka).withOption("max.request.size", "20000"))) {
      get(maker.publish(Message.of(topic, "first")));
      outbox.add(
          Message.of(topic, new byte[30_000]).withId("large").withOrderingKey("k"),
          Message.of("nowhere", "x").withId("lost"),
          Message.of(topic, "good").withId("good").withOrderingKey("k"));
      try (Relay relay = Relay.start(outbox, transport, RelaySettings.defaults())) {
        await().untilAsserted(() -> assertThat(outbox.pending()).isZero());
        await().untilAsserted(() -> assertThat(relay.counts().dead()).isEqualTo(2));
        assertThat(outbox.dead().keySet())
            .extracting(Message::id)
            .containsExactlyInAnyOrder("large", "lost");
        assertThat(outbox.dead().values())
            .anyMatch(each -> each.contains("limit"))
            .anyMatch(each -> each.contains("there is no topic"));
      }
    }
  }

  @Test
  void aBatchInATransactionIsThereAsAWholeButForWhatIsRefused(KafkaService kafka)
      throws InterruptedException {
    String topic = topic();
    KafkaSettings transactional =
        settings(kafka).withTransactions("relay-" + topic).withOption("max.request.size", "20000");
    try (KafkaTransport transport = KafkaTransport.connect(transactional);
        Subscription reader = transport.subscribe(topic, "c", SubscribeSettings.defaults())) {
      List<Message> batch =
          List.of(
              Message.of(topic, "1").withOrderingKey("k"),
              Message.of(topic, "2").withOrderingKey("k"),
              Message.of(topic, new byte[30_000]).withOrderingKey("k"),
              Message.of(topic, "3").withOrderingKey("k"),
              Message.of(topic, "4").withOrderingKey("k"));
      List<CompletionStage<PublishResult>> answers = transport.publishAll(batch);
      for (int each : List.of(0, 1, 3, 4)) {
        get(answers.get(each));
      }
      PublishFailed failed = catchThrowableOfType(PublishFailed.class, () -> get(answers.get(2)));
      assertThat(failed.kind()).isEqualTo(Kind.REFUSED);
      // One by one, because messages of a key wait until earlier ones are acknowledged.
      for (String text : List.of("1", "2", "3", "4")) {
        List<Delivery> got = receiveAtLast(reader, 1);
        assertThat(texts(got)).containsExactly(text);
        reader.acknowledge(got);
      }
      await().untilAsserted(() -> assertThat(reader.lag()).isZero());
    }
  }

  @Test
  void ofTwoWithOneTransactionalIdTheFirstIsFencedAndBeginsAnew(KafkaService kafka)
      throws InterruptedException {
    String topic = topic();
    KafkaSettings same = settings(kafka).withTransactions("relay-" + topic);
    try (KafkaTransport first = KafkaTransport.connect(same);
        KafkaTransport second = KafkaTransport.connect(same);
        Subscription reader = first.subscribe(topic, "c", SubscribeSettings.defaults())) {
      get(first.publish(Message.of(topic, "1")));
      get(second.publish(Message.of(topic, "2")));
      PublishFailed failed =
          catchThrowableOfType(
              PublishFailed.class, () -> get(first.publish(Message.of(topic, "3"))));
      assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
      get(first.publish(Message.of(topic, "4")));
      assertThat(texts(receiveAtLast(reader, 3))).containsExactly("1", "2", "4");
    }
  }

  @Test
  void whatTheBrokerDeletedUnreadStopsTheReaderUntilSomeoneDecides(KafkaService kafka)
      throws Exception {
    String topic = topic();
    try (KafkaTransport transport = KafkaTransport.connect(settings(kafka));
        Admin admin = KafkaUnderTest.admin(kafka)) {
      try (Subscription reader = transport.subscribe(topic, "c", SubscribeSettings.defaults())) {
        IntStream.range(0, 10).forEach(i -> get(transport.publish(Message.of(topic, "m" + i))));
        reader.acknowledge(receiveAtLast(reader, 2));
      }
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(5)))
          .all()
          .get();
      try (Subscription reader = transport.subscribe(topic, "c", SubscribeSettings.defaults())) {
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> reader.receive(10, Duration.ofSeconds(5)))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining("stands at 2")
              .hasMessageContaining("from 5 on")
              .hasMessageContaining("retention");
        }
      }
      try (Subscription fresh =
          transport.subscribe(topic, "another", SubscribeSettings.defaults())) {
        assertThat(texts(receiveAtLast(fresh, 5))).containsExactly("m5", "m6", "m7", "m8", "m9");
      }
    }
  }
}
