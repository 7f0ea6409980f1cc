package dev.semel.benchmarks.messages;

import dev.semel.benchmarks.Findings;
import dev.semel.internal.Ids;
import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.KafkaTransport;
import dev.semel.kafka.TopicSettings;
import dev.semel.testservices.KafkaService;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The race over a Kafka broker on the same machine. */
public final class KafkaBenchmark implements RacedBroker {
  private static final int PARTITIONS = 4;

  private final KafkaService service;
  private final KafkaTransport transport;
  private final KafkaProducer<byte[], byte[]> producer;
  private final String name;

  private KafkaBenchmark(KafkaService service, KafkaSettings settings, String name) {
    this.service = service;
    this.name = name;
    this.transport =
        KafkaTransport.connect(
            settings.withTopics(TopicSettings.of(PARTITIONS).withReplicas(1, 1)));
    ByteArraySerializer bytes = new ByteArraySerializer();
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                service.bootstrap(),
                "acks",
                "all",
                "enable.idempotence",
                "true",
                "linger.ms",
                "0"),
            bytes,
            bytes);
  }

  /** Prints the figures. */
  public static void run(Findings out) throws Exception {
    try (KafkaService service = KafkaService.start()) {
      KafkaSettings settings = KafkaSettings.of(service.url());
      try (KafkaBenchmark single = new KafkaBenchmark(service, settings, "Kafka")) {
        TransportRace.run(out, single, 50_000, 10_000);
      }
      try (KafkaBenchmark batches =
          new KafkaBenchmark(service, settings.withTransactions("raced"), "Kafka, transactions")) {
        TransportRace.run(out, batches, 50_000, 10_000);
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String freshDestination() {
    String topic = "raced." + Ids.uuid7();
    transport.publish(Message.of(topic, "")).toCompletableFuture().join(); // creates it
    return topic;
  }

  @Override
  public void publishBare(List<Message> messages, int batch) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (Message each : messages) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              each.destination(),
              each.orderingKey().getBytes(StandardCharsets.UTF_8),
              each.payload());
      record.headers().add("semel-id", each.id().getBytes(StandardCharsets.UTF_8));
      sent.add(producer.send(record));
      if (sent.size() == batch) {
        for (Future<RecordMetadata> one : sent) {
          one.get();
        }
        sent.clear();
      }
    }
    producer.flush();
  }

  @Override
  public void consumeBare(String destination, int count, int batch, Taker taker) throws Exception {
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                service.bootstrap(),
                "max.poll.records",
                Integer.toString(batch),
                "isolation.level",
                "read_committed"),
            bytes,
            bytes)) {
      List<TopicPartition> all = new ArrayList<>();
      for (int i = 0; i < PARTITIONS; i++) {
        all.add(new TopicPartition(destination, i));
      }
      consumer.assign(all);
      consumer.seekToBeginning(all);
      for (int got = 0; got < count; ) {
        List<String> ids = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
          ids.add(
              new String(each.headers().lastHeader("semel-id").value(), StandardCharsets.UTF_8));
        }
        if (!ids.isEmpty()) {
          taker.take(ids);
        }
        got += ids.size();
      }
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    transport.close();
  }
}
