package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The connection to a Kafka broker, and the topics expected there.
 *
 * @param servers host and port each, such as {@code 127.0.0.1:9092}
 * @param options of Kafka's own clients, such as {@code security.protocol}; each client gets those
 *     that it knows. Never shown, because some are secret
 * @param publishTimeout after this time without an answer a message is in doubt
 * @param topic settings for missing topics; empty: they are refused
 * @param transactionalId empty: each message is confirmed separately. Otherwise batches are sent in
 *     transactions with this id, which must be different for each process
 */
public record KafkaSettings(
    List<String> servers,
    Map<String, String> options,
    Duration publishTimeout,
    Optional<TopicSettings> topic,
    String transactionalId) {
  public static final Duration DEFAULT_PUBLISH_TIMEOUT = Duration.ofSeconds(5);
  private static final String SCHEME = "kafka://";
  private static final Pattern SERVER = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:/@\\s]+):\\d{1,5}");
  private static final int MAX_TRANSACTIONAL_ID = 200;

  /** Options that the guarantees depend on; they can't be changed. */
  private static final Set<String> OURS =
      Set.of(
          "bootstrap.servers",
          "acks",
          "enable.idempotence",
          "transactional.id",
          "transaction.two.phase.commit.enable",
          "isolation.level",
          "enable.auto.commit",
          "auto.offset.reset",
          "group.id",
          "group.protocol",
          "delivery.timeout.ms",
          "max.block.ms",
          "key.serializer",
          "value.serializer",
          "key.deserializer",
          "value.deserializer");

  public KafkaSettings {
    servers = List.copyOf(servers);
    options = Map.copyOf(options);
    if (servers.isEmpty()) {
      throw new InvalidInput("there is no server: give one, such as kafka://127.0.0.1:9092");
    }
    for (String server : servers) {
      if (!SERVER.matcher(server).matches()) {
        throw new InvalidInput(
            "a server of Kafka is a host and a port, such as kafka://127.0.0.1:9092; a password belongs into the options");
      }
    }
    for (String name : options.keySet()) {
      if (OURS.contains(name)) {
        throw new InvalidInput(
            "the option %s can't be set: what is promised rests on it"
                .formatted(PrintableText.quoted(name)));
      }
    }
    if (publishTimeout.toMillis() < 100) {
      throw new InvalidInput("the time to publish is too short: give it at least 100 ms");
    }
    if (transactionalId.length() > MAX_TRANSACTIONAL_ID) {
      throw new InvalidInput(
          "the transactional id is longer than %d characters".formatted(MAX_TRANSACTIONAL_ID));
    }
  }

  /** Settings for one or more servers, separated by commas, with or without {@code kafka://}. */
  public static KafkaSettings of(String servers) {
    String plain = servers.startsWith(SCHEME) ? servers.substring(SCHEME.length()) : servers;
    List<String> each = new ArrayList<>();
    for (String server : plain.split(",", -1)) {
      each.add(server.strip());
    }
    return new KafkaSettings(each, Map.of(), DEFAULT_PUBLISH_TIMEOUT, Optional.empty(), "");
  }

  /** Adds one option for Kafka's clients. */
  public KafkaSettings withOption(String name, String value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(name, value);
    return new KafkaSettings(servers, more, publishTimeout, topic, transactionalId);
  }

  public KafkaSettings withPublishTimeout(Duration value) {
    return new KafkaSettings(servers, options, value, topic, transactionalId);
  }

  /**
   * Sets the topics' settings: missing topics are created with them, and existing ones must have
   * them.
   */
  public KafkaSettings withTopics(TopicSettings value) {
    return new KafkaSettings(servers, options, publishTimeout, Optional.of(value), transactionalId);
  }

  KafkaSettings withoutTopics() {
    return new KafkaSettings(servers, options, publishTimeout, Optional.empty(), transactionalId);
  }

  /**
   * Sends each batch of a relay in a transaction, so that it appears as a whole or not at all.
   *
   * @param id this process's id, the same after its restart, so that it ends its own open
   *     transaction
   */
  public KafkaSettings withTransactions(String id) {
    return new KafkaSettings(servers, options, publishTimeout, topic, id);
  }

  boolean transactional() {
    return !transactionalId.isEmpty();
  }

  String bootstrap() {
    return String.join(",", servers);
  }

  @Override
  public String toString() {
    return "KafkaSettings[%s, options %s hidden, %s, %s, %s]"
        .formatted(
            servers,
            new TreeMap<>(options).navigableKeySet(),
            publishTimeout,
            topic,
            transactionalId);
  }
}
