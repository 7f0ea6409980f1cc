package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.transport.Message;
import dev.semel.transport.spi.SubscribeSettings;
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
 * Reads from a topic, makes messages of messages, and writes them to other topics: what was written
 * and how far was read commit in one transaction of Kafka. So whoever reads what is committed finds
 * what follows from each message once, however many processes share the work and die at it. Nothing
 * outside of Kafka is part of that.
 *
 * <p>A function that fails is called again with the same messages, after a pause that grows; it
 * holds its partitions up until it succeeds, so it should return a dead letter for what it can't
 * bear. It must be done with a batch well within {@code max.poll.interval.ms}.
 *
 * <p>How far was read is known for as long as Kafka keeps a group's offsets, a week after the last
 * member left unless {@code offsets.retention.minutes} says otherwise: whoever begins later reads
 * all that is there once more.
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

  /** Of a batch that failed: how far they are finished must be found out before more is read. */
  private final Set<TopicPartition> unsettled = new HashSet<>();

  private Backoff backoff = fresh();

  /** With clients that it closes. */
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
   * Starts at once. Those with the same name share the source's partitions.
   *
   * @param function makes messages, with destinations that are there, of one that came
   * @param troubled hears what went wrong, and is tried again
   * @throws StoreException a broker can't be reached, or there is no such topic
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
    // Its id is never used by another: who is a zombie is told by the group's generation.
    String id = name + "-" + Ids.uuid7();
    TransactionalProducer producer = new TransactionalProducer(() -> clients.producer(id));
    var client = clients.consumer(name + "." + source, SubscribeSettings.defaults());
    client.subscribe(List.of(source));
    return new KafkaProcessor(settings, client, producer, function, troubled);
  }

  /** How many messages it took to their end. */
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
      client.seekToBeginning(e.partitions()); // nothing was ever committed there
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
   * Goes on from where the group stands. A commit whose answer was lost may have happened: so what
   * is open is ended first, and then the broker is asked. A partition that went to another is that
   * one's to read.
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
        var unused = now.send(KafkaMessages.record(each)); // what fails shows at the commit
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

  /** Also reported as a failure of the loop, as what a turn throws is. */
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
      troubled.accept(e); // the group finds out by itself
    }
  }
}
