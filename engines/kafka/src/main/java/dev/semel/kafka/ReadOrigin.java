package dev.semel.kafka;

import dev.semel.transport.spi.ConsumerPositions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Where a consumer reads from: positions in its own database, or the group's offsets in Kafka. */
record ReadOrigin(
    String topic, String consumer, KafkaSettings settings, @Nullable ConsumerPositions positions) {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /**
   * The group's name; one per topic, so that members of one topic don't cause rebalances in
   * another.
   */
  String group() {
    return consumer + "." + topic;
  }

  boolean placed() {
    return positions != null;
  }

  /** The next offset of each partition; empty: no message of it was ever finished. */
  Map<TopicPartition, String> read(Consumer<?, ?> client, Set<TopicPartition> partitions) {
    Map<TopicPartition, String> found = new HashMap<>();
    ConsumerPositions database = positions;
    if (database != null) {
      Map<String, TopicPartition> topicPartitions = new TreeMap<>();
      partitions.forEach(each -> topicPartitions.put(KafkaMessages.topicPartition(each), each));
      Map<String, String> at = database.read(consumer, topicPartitions.keySet());
      topicPartitions.forEach(
          (topicPartition, each) -> found.put(each, at.getOrDefault(topicPartition, "")));
      return found;
    }
    Map<TopicPartition, OffsetAndMetadata> committed = client.committed(partitions, LIMIT);
    for (TopicPartition each : partitions) {
      OffsetAndMetadata at = committed.get(each);
      found.put(each, at == null ? "" : Long.toString(at.offset()));
    }
    return found;
  }

  /** The error for deleted messages, for an operator who must decide how to go on. */
  String deleted(TopicPartition partition, String at, long oldest) {
    String how =
        positions == null
            ? "set the offsets of the group %s (kafka-consumer-groups --reset-offsets)"
                .formatted(group())
            : "move the consumer's position in its database from %s to %d (Positions.advance, partition %s)"
                .formatted(at, oldest, KafkaMessages.topicPartition(partition));
    return "the consumer %s stands at %s in partition %d of %s, but the broker has only messages from %d on: those between are deleted, or the topic is another one. Nothing is passed over: make its retention longer, and if they are lost for good, %s"
        .formatted(consumer, at, partition.partition(), topic, oldest, how);
  }
}
