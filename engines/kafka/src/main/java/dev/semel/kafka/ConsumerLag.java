package dev.semel.kafka;

import dev.semel.StoreException;
import dev.semel.transport.spi.ConsumerPositions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts a consumer's unfinished messages of a topic, over all partitions. In partitions that other
 * members read, transaction markers count too.
 */
final class ConsumerLag {
  private final Admin admin;
  private final ReadOrigin origin;
  private final int partitions;

  ConsumerLag(Admin admin, ReadOrigin origin, int partitions) {
    this.admin = admin;
    this.origin = origin;
    this.partitions = partitions;
  }

  long of(Map<TopicPartition, String> here) {
    Map<TopicPartition, String> at = new HashMap<>(here);
    Set<TopicPartition> all = new HashSet<>();
    IntStream.range(0, partitions).forEach(n -> all.add(new TopicPartition(origin.topic(), n)));
    try {
      if (!at.keySet().containsAll(all)) {
        elsewhere(all).forEach(at::putIfAbsent);
      }
      Map<TopicPartition, Long> oldest = offsets(all, OffsetSpec.earliest());
      Map<TopicPartition, Long> newest = offsets(all, OffsetSpec.latest());
      long lag = 0;
      for (TopicPartition each : all) {
        String reached = at.getOrDefault(each, "");
        long first = oldest.getOrDefault(each, 0L);
        long from = reached.isEmpty() ? first : Math.max(first, Long.parseLong(reached));
        lag += Math.max(0, newest.getOrDefault(each, 0L) - from);
      }
      return lag;
    } catch (ExecutionException e) {
      throw KafkaErrors.store("how much waits is unknown", e, origin.settings());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while Kafka was asked", e);
    }
  }

  private Map<TopicPartition, Long> offsets(Set<TopicPartition> all, OffsetSpec which)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    all.forEach(each -> wanted.put(each, which));
    Map<TopicPartition, Long> found = new HashMap<>();
    admin
        .listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .get()
        .forEach((each, info) -> found.put(each, info.offset()));
    return found;
  }

  /** The positions of partitions that other members read. */
  private Map<TopicPartition, String> elsewhere(Set<TopicPartition> all)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, String> found = new HashMap<>();
    ConsumerPositions positions = origin.positions();
    if (positions != null) {
      Set<String> topicPartitions = new TreeSet<>();
      all.forEach(each -> topicPartitions.add(KafkaMessages.topicPartition(each)));
      positions
          .read(origin.consumer(), topicPartitions)
          .forEach((topicPartition, at) -> found.put(KafkaMessages.partition(topicPartition), at));
      return found;
    }
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin
            .listConsumerGroupOffsets(origin.group())
            .partitionsToOffsetAndMetadata(origin.group())
            .get();
    committed.forEach(
        (each, at) -> {
          if (at != null) {
            found.put(each, Long.toString(at.offset()));
          }
        });
    return found;
  }
}
