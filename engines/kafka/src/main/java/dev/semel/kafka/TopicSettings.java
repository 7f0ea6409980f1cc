package dev.semel.kafka;

import dev.semel.InvalidInput;

/**
 * The settings of new topics, which existing topics must also have.
 *
 * @param partitions how many keys can be handled at the same time; adding partitions later moves
 *     keys
 * @param replicas how many brokers store each message
 * @param minInSync how many of them must have a message before it is confirmed
 */
public record TopicSettings(int partitions, int replicas, int minInSync) {
  public static final int MAX_PARTITIONS = 10_000;

  public TopicSettings {
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new InvalidInput("a topic has between 1 and %d partitions".formatted(MAX_PARTITIONS));
    }
    if (replicas < 1) {
      throw new InvalidInput("a topic has at least one replica: 3 is usual");
    }
    if (minInSync < 1 || minInSync > replicas) {
      throw new InvalidInput(
          "of %d replicas, between 1 and as many must confirm: 2 of 3 is usual"
              .formatted(replicas));
    }
  }

  /** Three replicas, two of which must confirm. */
  public static TopicSettings of(int partitions) {
    return new TopicSettings(partitions, 3, 2);
  }

  public TopicSettings withReplicas(int value, int confirming) {
    return new TopicSettings(partitions, value, confirming);
  }
}
