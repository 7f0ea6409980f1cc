package dev.semel.kafka;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.kafka.TopicSender.Sending;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Brokers that answer late or never: simulated, so that it happens each time. */
final class LostAnswersTest {
  private static final TopicPartition SOURCE = new TopicPartition("source", 0);

  /** An address where nothing listens. */
  private static final KafkaSettings NOWHERE =
      KafkaSettings.of("127.0.0.1:1")
          .withPublishTimeout(Duration.ofMillis(400))
          .withTransactions("relay-1");

  /** A producer that loses the answer to its first commit, after the broker has it. */
  private static final class Forgetful extends MockProducer<byte[], byte[]> {
    private final boolean forgets;

    Forgetful(boolean forgets) {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.forgets = forgets;
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      if (forgets) {
        throw new TimeoutException("no answer");
      }
    }
  }

  /** A partition, and the group's position in it by these producers' transactions. */
  private static final class Group extends MockConsumer<byte[], byte[]> {
    private final Queue<Forgetful> producers;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private int position;

    Group(Queue<Forgetful> producers) {
      super("none");
      this.producers = producers;
      assign(List.of(SOURCE));
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration patience) {
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      for (; position < log.size(); position++) {
        byte[] value = log.get(position).getBytes(StandardCharsets.UTF_8);
        all.add(new ConsumerRecord<>(SOURCE.topic(), 0, position, new byte[0], value));
      }
      if (all.isEmpty()) {
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records =
          all.isEmpty() ? Map.of() : Map.of(SOURCE, all);
      return new ConsumerRecords<>(records, Map.of(SOURCE, new OffsetAndMetadata(position)));
    }

    @Override
    public synchronized void seek(TopicPartition partition, long offset) {
      position = (int) offset;
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
        Set<TopicPartition> partitions, Duration limit) {
      Map<TopicPartition, OffsetAndMetadata> last = new HashMap<>();
      producers.stream()
          .flatMap(each -> each.consumerGroupOffsetsHistory().stream())
          .flatMap(each -> each.values().stream())
          .forEach(last::putAll);
      return last;
    }
  }

  private static List<String> written(Queue<Forgetful> producers) {
    return producers.stream()
        .flatMap(each -> each.history().stream())
        .map(each -> new String(each.value(), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void aCommitWhoseAnswerWasLostIsNotMadeAgain() {
    Queue<Forgetful> producers = new ConcurrentLinkedQueue<>();
    TransactionalProducer making =
        new TransactionalProducer(
            () -> {
              Forgetful made = new Forgetful(producers.isEmpty());
              producers.add(made);
              return made;
            });
    Group group = new Group(producers);
    List<Exception> problems = new CopyOnWriteArrayList<>();
    try (KafkaProcessor processor =
        new KafkaProcessor(
            NOWHERE,
            group,
            making,
            each -> List.of(Message.of("to", each.payload())),
            problems::add)) {
      group.log.add("first");
      await().until(() -> !problems.isEmpty());
      group.log.add("second");
      await().until(() -> written(producers).contains("second"));
      await().until(() -> processor.processed() == 1);
    }
    assertThat(written(producers)).containsExactly("first", "second");
    assertThat(problems).singleElement().isInstanceOf(TimeoutException.class);
  }

  private static PublishFailed failure(Sending sending) {
    return catchThrowableOfType(PublishFailed.class, () -> get(sending.answer()));
  }

  private static List<Sending> batch(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Sending(Message.of("orders", "m" + i), new CompletableFuture<>()))
        .toList();
  }

  @Test
  void aTopicThatIsAwayIsWaitedForOnceInABatch() {
    KafkaClients clients = new KafkaClients(NOWHERE);
    try (Admin admin = clients.admin();
        SingleSender sender = new SingleSender(clients, new KafkaTopics(admin, NOWHERE), NOWHERE)) {
      List<Sending> batch = batch(100);
      long start = System.nanoTime();
      sender.send(batch);
      assertThat(batch)
          .allSatisfy(each -> assertThat(failure(each).kind()).isEqualTo(Kind.UNREACHABLE));
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isLessThan(NOWHERE.publishTimeout().multipliedBy(20));
    }
  }

  @Test
  void aTransactionThatCouldNotBeBegunIsBegunAnew() {
    KafkaClients clients = new KafkaClients(NOWHERE);
    try (Admin admin = clients.admin();
        TransactionSender sender =
            new TransactionSender(clients, new KafkaTopics(admin, NOWHERE), NOWHERE)) {
      for (int i = 0; i < 2; i++) {
        List<Sending> one = batch(1);
        sender.send(one);
        assertThat(failure(one.getFirst()))
            .as("try %d", i)
            .hasCauseInstanceOf(TimeoutException.class);
      }
    }
  }
}
