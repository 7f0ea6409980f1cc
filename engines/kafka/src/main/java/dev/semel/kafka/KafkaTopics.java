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

/** Which topics there are: made if that is wished, compared if not, and never changed. */
final class KafkaTopics {
  /** Leaves room for a partition where positions are kept. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,240}");

  /** More are asked for again each time. */
  private static final int MAX_KNOWN = 10_000;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /** Brokers hear of a topic that was made a little later than who made it; so long is waited. */
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

  /** It may be gone. */
  void forget(String topic) {
    known.remove(topic);
  }

  /**
   * Returns its partitions when it is there, and as it should be.
   *
   * @param limit for each question to the broker
   * @throws PublishFailed refused: there is none
   * @throws StoreException it is another than asked for, or nobody can say
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
      // someone else was faster
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

  /** One that is not there is no error. */
  void remove(String topic) {
    forget(topic);
    try {
      get(
          "the topic was not deleted",
          admin.deleteTopics(List.of(topic)).all(),
          KafkaClients.ADMIN_LIMIT);
    } catch (UnknownTopicOrPartitionException e) {
      return; // as it should be
    }
  }

  /** One that is not there is no error, and neither is one that Kafka forgets by itself later. */
  void removeGroup(String group) {
    try {
      admin
          .deleteConsumerGroups(List.of(group))
          .all()
          .get(KafkaClients.ADMIN_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return; // it holds no messages, and is forgotten in a week
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

  /** What the broker says of a topic is thrown on as it is. */
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
