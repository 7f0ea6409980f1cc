package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Processes messages exactly once within Kafka: reads from a topic, calls a function, and writes
 * its messages to other topics. The written messages and the read offsets commit in one Kafka
 * transaction. So readers of committed messages see each message's results once, however many
 * processes share the work and crash. Effects outside Kafka are not part of that.
 *
 * <p>A function that fails is called again with the same messages, after a growing pause; its
 * partitions wait until it succeeds, so it should return a dead letter for a message that it can't
 * process. It must be done with a batch well within {@code max.poll.interval.ms}.
 *
 * <p>Kafka keeps a group's offsets for a week after its last member left, unless {@code
 * offsets.retention.minutes} says otherwise: a processor that starts later reads everything again.
 */
public final class KafkaProcessor implements AutoCloseable {
  private static final String LOOP = "semel-kafka-processor";
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final KafkaSettings settings;
  private final Function<Message, List<Message>> function;
  private final Consumer<Exception> troubled;
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client;

  private final TransactionalProducer producer;
  private final Loop loop;
  private final AtomicLong processed = new AtomicLong();

  /** Partitions of a failed batch, whose committed offsets must be read before more is fetched. */
  private final Set<TopicPartition> unsettled = new HashSet<>();

  private Backoff backoff = fresh();

  /** Takes clients, and closes them at the end. */
  KafkaProcessor(
      KafkaSettings settings,
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client,
      TransactionalProducer producer,
      Function<Message, List<Message>> function,
      Consumer<Exception> troubled) {
    this.settings = settings;
    this.client = client;
    this.producer = producer;
    this.function = function;
    this.troubled = troubled;
    this.loop = Loop.startTimed(Platform.REAL, LOOP, this::turn, LONGEST_PAUSE, troubled);
  }

  /**
   * Starts a processor. Processors with the same name share the source's partitions.
   *
   * @param function converts a received message to messages for existing destinations
   * @param troubled gets each failure, after which the processor tries again
   * @throws StoreException the broker is unreachable, or there is no such topic
   */
  public static KafkaProcessor start(
      KafkaSettings settings,
      String name,
      String source,
      Function<Message, List<Message>> function,
      Consumer<Exception> troubled) {
    if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new InvalidInput(
          "the processor's name can't be used: take up to 64 letters, digits, hyphens and"
              + " underscores");
    }
    try (Admin admin = new KafkaClients(settings).admin()) {
      new KafkaTopics(admin, settings)
          .ensure(KafkaTopics.require(source), KafkaClients.ADMIN_LIMIT);
    }
    KafkaClients clients = new KafkaClients(settings);
    // No other producer uses this id: the group's generation fences zombies.
    String id = name + "-" + Ids.uuid7();
    TransactionalProducer producer = new TransactionalProducer(() -> clients.producer(id));
    var client = clients.consumer(name + "." + source, SubscribeSettings.defaults());
    client.subscribe(List.of(source));
    return new KafkaProcessor(settings, client, producer, function, troubled);
  }

  /** How many messages were processed. */
  public long processed() {
    return processed.get();
  }

  private static Backoff fresh() {
    return new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  }

  private long turn() throws InterruptedException {
    try {
      settle();
      ConsumerRecords<byte[], byte[]> records = client.poll(POLL);
      if (records.isEmpty() || process(records)) {
        processed.addAndGet(records.count());
        return 0;
      }
      unsettled.addAll(records.partitions());
      return backoff.nextNanos();
    } catch (WakeupException e) {
      return 0;
    } catch (InterruptException e) {
      throw new InterruptedException(e.getMessage());
    } catch (NoOffsetForPartitionException e) {
      client.seekToBeginning(e.partitions()); // no offset was ever committed there
      return 0;
    } catch (OffsetOutOfRangeException e) {
      trouble(
          new StoreException(
              "the broker has deleted what was not read: make the retention longer, and if it is"
                  + " lost for good, set the group's offsets (kafka-consumer-groups"
                  + " --reset-offsets). Kafka said: "
                  + e.getMessage()));
      return backoff.nextNanos();
    } catch (KafkaException e) {
      trouble(KafkaErrors.store("reading failed", e, settings));
      return backoff.nextNanos();
    }
  }

  /**
   * Continues at the group's position. A commit whose answer was lost may have happened, so this
   * ends an open transaction and then asks the broker. A partition that moved to another member is
   * left to that one.
   */
  private void settle() {
    if (unsettled.isEmpty()) {
      return;
    }
    Producer<byte[], byte[]> unused = producer.ready();
    unsettled.retainAll(client.assignment());
    client
        .committed(unsettled, LIMIT)
        .forEach(
            (partition, at) -> {
              if (at == null) {
                client.seekToBeginning(Set.of(partition));
              } else {
                client.seek(partition, at.offset());
              }
            });
    unsettled.clear();
  }

  private boolean process(ConsumerRecords<byte[], byte[]> records) {
    Producer<byte[], byte[]> now = null;
    try {
      List<Message> results = new ArrayList<>();
      Map<TopicPartition, OffsetAndMetadata> reached = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> each : records) {
        results.addAll(function.apply(KafkaMessages.message(each)));
        reached.put(
            new TopicPartition(each.topic(), each.partition()),
            new OffsetAndMetadata(each.offset() + 1));
      }
      now = producer.ready();
      now.beginTransaction();
      for (Message each : results) {
        var unused = now.send(KafkaMessages.record(each)); // failures appear at the commit
      }
      now.sendOffsetsToTransaction(reached, client.groupMetadata());
      now.commitTransaction();
      backoff = fresh();
      return true;
    } catch (RuntimeException e) {
      producer.undo(now);
      trouble(e);
      return false;
    }
  }

  /** Also reported as a failure of the loop, like a turn's exceptions. */
  private void trouble(Exception e) {
    LoopFailures.report(LOOP, e);
    troubled.accept(e);
  }

  @Override
  public void close() {
    client.wakeup();
    loop.close();
    producer.close();
    try {
      client.close(CloseOptions.timeout(KafkaClients.CLOSE_LIMIT));
    } catch (KafkaException e) {
      troubled.accept(e); // the group notices the end of a member after a while
    }
  }
}
