package dev.semel.kafka;

import dev.semel.InvalidInput;
import dev.semel.transport.SubscribeSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates Kafka's clients: the user's options, our defaults below them, and our required options
 * above.
 */
final class KafkaClients {
  /** A transaction's batch must be written well before the broker aborts the transaction. */
  private static final long SHORTEST_TRANSACTION_MILLIS = 10_000;

  /** The brokers' default limits for session timeouts. */
  private static final long SHORTEST_SESSION_MILLIS = 6_000;

  private static final long LONGEST_SESSION_MILLIS = 45_000;

  /** Records per poll; this many above the limit may be in memory. */
  private static final int RECORDS_OF_A_POLL = 200;

  /** Long enough for a broker's restart. */
  static final Duration ADMIN_LIMIT = Duration.ofSeconds(20);

  private final KafkaSettings settings;

  KafkaClients(KafkaSettings settings) {
    this.settings = settings;
  }

  Admin admin() {
    long limit = ADMIN_LIMIT.toMillis();
    Map<String, Object> all =
        chosen(
            AdminClientConfig.configNames(),
            Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                Long.toString(limit),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Long.toString(limit / 2)));
    return made(() -> Admin.create(all));
  }

  Producer<byte[], byte[]> producer() {
    return producer("");
  }

  Producer<byte[], byte[]> producer(String transactionalId) {
    int timeout = Math.toIntExact(settings.publishTimeout().toMillis());
    // Messages of a key are sent one after another, so lingering would only cost time.
    Map<String, Object> all =
        chosen(ProducerConfig.configNames(), Map.of(ProducerConfig.LINGER_MS_CONFIG, "0"));
    int linger = Integer.parseInt(String.valueOf(all.get(ProducerConfig.LINGER_MS_CONFIG)));
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, timeout - linger));
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout);
    if (!transactionalId.isEmpty()) {
      all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
      all.putIfAbsent(
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
          Math.toIntExact(Math.max(SHORTEST_TRANSACTION_MILLIS, 2L * timeout)));
    }
    var bytes = new ByteArraySerializer();
    return made(() -> new KafkaProducer<>(all, bytes, bytes));
  }

  Consumer<byte[], byte[]> consumer(String group, SubscribeSettings how) {
    long session =
        Math.clamp(how.ackWithin().toMillis(), SHORTEST_SESSION_MILLIS, LONGEST_SESSION_MILLIS);
    Map<String, Object> all =
        chosen(
            ConsumerConfig.configNames(),
            Map.of(
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                Long.toString(session),
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                Long.toString(session / 4),
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                Integer.toString(RECORDS_OF_A_POLL),
                // After a rebalance all members know their partitions at once.
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                StickyAssignor.class.getName()));
    all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    var bytes = new ByteArrayDeserializer();
    return made(() -> new KafkaConsumer<>(all, bytes, bytes));
  }

  private Map<String, Object> chosen(Set<String> known, Map<String, String> preferred) {
    Map<String, Object> all = new HashMap<>(preferred);
    // Reconnects soon after an outage, but not all at once: the client's pause grows to a second.
    all.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    settings.options().forEach((name, value) -> putKnown(all, known, name, value));
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrap());
    return all;
  }

  /**
   * Also accepts unknown names: listeners, mechanisms and plug-ins have options that no list
   * contains.
   */
  private static void putKnown(
      Map<String, Object> all, Set<String> known, String name, String value) {
    boolean ofOthers =
        !known.contains(name)
            && (ProducerConfig.configNames().contains(name)
                || ConsumerConfig.configNames().contains(name)
                || AdminClientConfig.configNames().contains(name));
    if (!ofOthers) {
      all.put(name, value);
    }
  }

  @FunctionalInterface
  private interface Making<T> {
    T make();
  }

  /**
   * Creates a client. Errors in options appear here; the client's messages contain no option
   * values.
   */
  private static <T> T made(Making<T> making) {
    try {
      return making.make();
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new InvalidInput(
          "Kafka's client does not take the settings: "
              + String.valueOf(cause.getMessage())
              + ". Look at the options");
    }
  }

  /** Clients are closed without waiting for a broker for long. */
  static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
}
