package dev.semel.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/** Warnings about topics' settings that weaken the guarantees, one sentence each. */
final class TopicHazards {
  /** With a shorter age a consumer that is down for a weekend misses messages. */
  static final Duration SHORT_AGE = Duration.ofDays(3);

  private final KafkaTopics topics;

  TopicHazards(KafkaTopics topics) {
    this.topics = topics;
  }

  List<String> of(Duration retrySpan) {
    List<String> found = new ArrayList<>();
    found.add(
        "Kafka knows no ids of messages: what is sent again, up to %s after its first try, is there twice: let consumers keep ids in an inbox at least as long"
            .formatted(retrySpan));
    found.add(
        "Kafka confirms before the disk has it, so a power cut that takes all replicas takes confirmed messages: place them apart");
    int brokers = topics.brokers();
    for (String topic : new TreeSet<>(topics.known())) {
      Optional<TopicDescription> there = topics.described(topic);
      if (there.isPresent()) {
        int replicas =
            there.get().partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
        found.addAll(of(topic, replicas, brokers, topics.configuration(topic)));
      }
    }
    return found;
  }

  static List<String> of(String topic, int replicas, int brokers, Config config) {
    List<String> found = new ArrayList<>();
    String name = "the topic " + topic;
    int inSync =
        Integer.parseInt(KafkaTopics.value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1"));
    if (replicas == 1) {
      found.add(
          name
              + " has one replica, and is away or lost with its broker: use 3"
              + (brokers == 1 ? ", on as many brokers" : ""));
    } else if (inSync == 1) {
      found.add(
          name
              + " confirms when one replica has a message, which may be lost with it: set min.insync.replicas to 2");
    } else if (inSync == replicas) {
      found.add(
          "%s wants all %d replicas to confirm, and takes nothing while one is away: set min.insync.replicas to %d"
              .formatted(name, replicas, replicas - 1));
    }
    if (isTrue(config, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG)) {
      found.add(
          name
              + " may be led by a replica that lacks confirmed messages: set unclean.leader.election.enable to false");
    }
    long age = Long.parseLong(KafkaTopics.value(config, TopicConfig.RETENTION_MS_CONFIG, "-1"));
    String cleanup = KafkaTopics.value(config, TopicConfig.CLEANUP_POLICY_CONFIG, "delete");
    if (cleanup.contains("delete") && age >= 0 && age < SHORT_AGE.toMillis()) {
      found.add(
          "%s drops messages after %s, delivered or not: make retention.ms longer than any consumer may be down"
              .formatted(name, Duration.ofMillis(age)));
    }
    if (cleanup.contains("delete")
        && Long.parseLong(KafkaTopics.value(config, TopicConfig.RETENTION_BYTES_CONFIG, "-1"))
            >= 0) {
      found.add(name + " drops its oldest messages when it is full: unset retention.bytes");
    }
    if (cleanup.contains("compact")) {
      found.add(
          name
              + " keeps only the last message of a key: use it for states, not for events (cleanup.policy)");
    }
    return found;
  }

  private static boolean isTrue(Config config, String name) {
    return Boolean.parseBoolean(KafkaTopics.value(config, name, "false"));
  }
}
