package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.kafka.TopicSender.Sending;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.SubscribeSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** Loops report the failures of their clients. */
@SuppressWarnings("try") // a loop works while it is open
final class KafkaLoopsTest {
  private static final KafkaSettings SETTINGS = KafkaSettings.of("127.0.0.1:1");

  @SuppressWarnings("unchecked") // it holds no resources
  private static Consumer<byte[], byte[]> client(Callable<?> poll) {
    return Broken.of(
        Consumer.class,
        Map.of("metrics", Map::of, "subscribe", () -> "", "wakeup", () -> "", "poll", poll));
  }

  private static Object away() {
    throw new KafkaException("the broker is away");
  }

  private static Object bug() {
    throw new IllegalStateException("a bug in poll");
  }

  @Test
  void aPollThatFailsIsTold() {
    LoopWatch watch = LoopWatch.of("semel-kafka-poll");
    try (GroupReader reader =
        new GroupReader(
            client(KafkaLoopsTest::bug),
            new ReadOrigin("orders", "broken", SETTINGS, null),
            SubscribeSettings.defaults())) {
      await().untilAsserted(watch::assertTold);
    }
  }

  /** The processor catches its failures, in order to report them to its owner. */
  @Test
  void aProcessorsFailureIsToldToItsOwnerAndToAll() {
    List<Exception> heard = new CopyOnWriteArrayList<>();
    LoopWatch watch = LoopWatch.of("semel-kafka-processor");
    try (KafkaProcessor processor = processor(heard)) {
      await().untilAsserted(watch::assertTold);
      await().until(() -> !heard.isEmpty());
    }
  }

  /** With an option that no producer takes: nothing but its making fails, and each time. */
  @Test
  void aSenderWithoutAProducerIsToldToItsCallerAndToAll() {
    KafkaSettings settings =
        SETTINGS.withTransactions("broken").withOption("compression.type", "unheard-of");
    KafkaClients clients = new KafkaClients(settings);
    LoopWatch watch = LoopWatch.of("semel-kafka-transactions");
    try (Admin admin = new KafkaClients(SETTINGS).admin();
        TransactionSender sender =
            new TransactionSender(clients, new KafkaTopics(admin, settings), settings)) {
      Sending one = new Sending(Message.of("orders", "one"), new CompletableFuture<>());
      sender.send(List.of(one));
      await().untilAsserted(watch::assertTold);
      assertThatThrownBy(() -> one.answer().join())
          .hasCauseInstanceOf(PublishFailed.class)
          .hasMessageContaining("does not take the settings");
    }
  }

  private static KafkaProcessor processor(List<Exception> heard) {
    return new KafkaProcessor(
        SETTINGS,
        client(KafkaLoopsTest::away),
        new TransactionalProducer(KafkaLoopsTest::producer),
        message -> List.of(),
        heard::add);
  }

  @SuppressWarnings("unchecked") // it holds no resources
  private static Producer<byte[], byte[]> producer() {
    return Broken.of(Producer.class);
  }
}
