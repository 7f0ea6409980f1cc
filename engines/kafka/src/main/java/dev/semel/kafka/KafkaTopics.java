package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.loop.Platform;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates missing topics if the settings say so, otherwise compares existing ones; never changes a
 * topic.
 */
final class KafkaTopics {
  /** Leaves room for the partition number in the stored positions. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,240}");

  /** Further topics are checked again each time. */
  private static final int MAX_KNOWN = 10_000;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /** How long to wait until all brokers know a new topic. */
  private static final Duration HEARD_OF_WITHIN = Duration.ofSeconds(2);

  private final Admin admin;
  private final KafkaSettings settings;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  KafkaTopics(Admin admin, KafkaSettings settings) {
    this.admin = admin;
    this.settings = settings;
  }

  static String require(String destination) {
    if (!NAME.matcher(destination).matches()
        || destination.equals(".")
        || destination.equals("..")) {
      throw new InvalidInput(
          "the destination %s is no topic of Kafka: use up to 240 letters, digits, dots, hyphens and underscores"
              .formatted(PrintableText.quoted(destination)));
    }
    return destination;
  }

  boolean knows(String topic) {
    return known.contains(topic);
  }

  /** Forgets a topic, which may be deleted. */
  void forget(String topic) {
    known.remove(topic);
  }

  /**
   * Checks a topic, and creates it if the settings say so.
   *
   * @return its number of partitions
   * @param limit for each request to the broker
   * @throws PublishFailed refused: there is no such topic
   * @throws StoreException its settings differ, or the broker did not answer
   */
  int ensure(String topic, Duration limit) {
    TopicDescription there = find(topic, limit).orElseGet(() -> missing(topic, limit));
    Optional<TopicSettings> wanted = settings.topic();
    if (wanted.isPresent()) {
      verify(there, wanted.get());
    }
    if (known.size() < MAX_KNOWN) {
      known.add(topic);
    }
    return there.partitions().size();
  }

  private Optional<TopicDescription> find(String topic, Duration limit) {
    try {
      return Optional.of(get("the topic can't be looked at", describe(topic), limit));
    } catch (UnknownTopicOrPartitionException e) {
      return Optional.empty();
    }
  }

  private KafkaFuture<TopicDescription> describe(String topic) {
    return Objects.requireNonNull(
        admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
  }

  private TopicDescription missing(String topic, Duration limit) {
    Optional<TopicSettings> wanted = settings.topic();
    wanted.ifPresent(how -> create(topic, how, limit));
    return await(topic, wanted.isPresent() ? limit : HEARD_OF_WITHIN)
        .orElseThrow(
            () ->
                wanted.isPresent()
                    ? new StoreException(
                        "the topic %s was made and is not there yet".formatted(topic))
                    : new PublishFailed(
                        Kind.REFUSED,
                        "there is no topic %s: create it, or let us (KafkaSettings.withTopics)"
                            .formatted(PrintableText.quoted(topic))));
  }

  private void create(String topic, TopicSettings wanted, Duration limit) {
    NewTopic topics =
        new NewTopic(topic, wanted.partitions(), (short) wanted.replicas())
            .configs(
                Map.of(
                    TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(wanted.minInSync())));
    try {
      get(
          "the topic %s can't be made".formatted(topic),
          admin.createTopics(List.of(topics)).all(),
          limit);
    } catch (TopicExistsException e) {
      // another process created it meanwhile
    }
  }

  private Optional<TopicDescription> await(String topic, Duration limit) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < limit.toNanos()) {
      Platform.REAL.park(this, LOOK_AGAIN.toNanos());
      Optional<TopicDescription> found = find(topic, limit);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private void verify(TopicDescription there, TopicSettings wanted) {
    List<String> found = new ArrayList<>();
    differ(found, "partitions", there.partitions().size(), wanted.partitions());
    int replicas =
        there.partitions().stream().mapToInt(each -> each.replicas().size()).min().orElse(0);
    differ(found, "replicas", replicas, wanted.replicas());
    differ(found, "min.insync.replicas", minInSync(there.name()), wanted.minInSync());
    if (!found.isEmpty()) {
      throw new StoreException(
          "the topic %s is not as asked for, and is left as it is: %s. Change one or the other"
              .formatted(there.name(), String.join("; ", found)));
    }
  }

  private int minInSync(String topic) {
    return Integer.parseInt(
        value(configuration(topic), TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1"));
  }

  Config configuration(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return get(
        "the topic's settings can't be read",
        Objects.requireNonNull(admin.describeConfigs(List.of(resource)).values().get(resource)),
        KafkaClients.ADMIN_LIMIT);
  }

  int brokers() {
    return get(
            "the brokers can't be counted",
            admin.describeCluster().nodes(),
            KafkaClients.ADMIN_LIMIT)
        .size();
  }

  /** Deletes a topic; a missing one is no error. */
  void remove(String topic) {
    forget(topic);
    try {
      get(
          "the topic was not deleted",
          admin.deleteTopics(List.of(topic)).all(),
          KafkaClients.ADMIN_LIMIT);
    } catch (UnknownTopicOrPartitionException e) {
      return; // deleted, or never there
    }
  }

  /**
   * Deletes a group; a missing one is no error, nor one that can't be deleted now, which Kafka
   * deletes later.
   */
  void removeGroup(String group) {
    try {
      admin
          .deleteConsumerGroups(List.of(group))
          .all()
          .get(KafkaClients.ADMIN_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return; // it holds no messages, and Kafka deletes it after a week
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static String value(Config config, String name, String otherwise) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? otherwise : entry.value();
  }

  Optional<TopicDescription> described(String topic) {
    return find(topic, KafkaClients.ADMIN_LIMIT);
  }

  private static void differ(List<String> found, String what, int there, int wanted) {
    if (there != wanted) {
      found.add("%s is %d and should be %d".formatted(what, there, wanted));
    }
  }

  Set<String> known() {
    return Set.copyOf(known);
  }

  /** Waits for an answer; the broker's errors about a topic are rethrown unchanged. */
  private <T> T get(String what, KafkaFuture<T> future, Duration limit) {
    try {
      return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      Throwable cause = KafkaErrors.cause(e);
      if (cause instanceof UnknownTopicOrPartitionException missing) {
        throw missing;
      }
      if (cause instanceof TopicExistsException exists) {
        throw exists;
      }
      throw KafkaErrors.store(what, cause, settings);
    } catch (TimeoutException e) {
      throw KafkaErrors.store(what, e, settings);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while Kafka was asked", e);
    }
  }
}
