package dev.semel.cli.prove;

import dev.semel.InvalidInput;
import dev.semel.cli.connect.KafkaUrl;
import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.KafkaTransport;
import dev.semel.kafka.TopicSettings;
import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.rabbitmq.RabbitSettings;
import dev.semel.rabbitmq.RabbitStreamSettings;
import dev.semel.rabbitmq.RabbitStreamTransport;
import dev.semel.rabbitmq.RabbitTransport;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.transport.Transport;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * The broker of a proof, with destinations that nothing else uses.
 *
 * @param url may hold a password
 * @param run makes the destinations' names unique
 * @param token for a Semel server; empty: none
 */
public record ProofBroker(String url, String run, String token) {
  public static final String CONSUMER = "ledger";
  private static final String GRAVEDIGGER = "graveyard";
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** Brokers refuse a shorter one for members of a group, unless configured. */
  private static final Duration KAFKA_LEASE = Duration.ofSeconds(6);

  private static final Duration CONFIRM_WITHIN = Duration.ofSeconds(2);
  private static final int PARTITIONS = 4;
  private static final int USUAL_REPLICAS = 3;

  private static final Set<String> KNOWN =
      Set.of(
          "nats",
          "tls",
          "kafka",
          "amqp",
          "amqps",
          "rabbitmq-stream",
          "rabbitmq-stream+tls",
          "redis",
          "rediss",
          "redis-cluster",
          "rediss-cluster",
          "http",
          "https");

  public ProofBroker {
    if (!KNOWN.contains(scheme(url))) {
      throw new InvalidInput(
          "the broker's URL begins with no scheme that is known here: use nats://, kafka://, amqp://, rabbitmq-stream://, redis://, redis-cluster:// or http:// for a Semel server");
    }
  }

  private static String scheme(String url) {
    return url.substring(0, Math.max(0, url.indexOf("://")));
  }

  public String destination() {
    return "semel-prove-" + run;
  }

  /** The destination of dead letters. */
  public String dead() {
    return destination() + "-dead";
  }

  /** Lease of relays, and of a partition's reader. */
  public Duration lease() {
    return scheme(url).equals("kafka") ? KAFKA_LEASE : LEASE;
  }

  /** Connects, and creates missing destinations. */
  Transport connect() {
    return switch (scheme(url)) {
      case "nats", "tls" -> nats();
      case "kafka" -> kafka();
      case "amqp", "amqps" -> rabbit();
      case "rabbitmq-stream", "rabbitmq-stream+tls" -> rabbitStreams();
      case "http", "https" -> streams();
      default -> redis();
    };
  }

  /** Deletes everything that this run has created there. */
  void remove() {
    switch (scheme(url)) {
      case "nats", "tls" -> {
        try (JetStreamTransport transport = nats()) {
          transport.remove();
        }
      }
      case "kafka" -> {
        try (KafkaTransport transport = kafka()) {
          transport.remove(destination(), CONSUMER);
          transport.remove(dead());
        }
      }
      case "amqp", "amqps" -> {
        try (RabbitTransport transport = rabbit()) {
          transport.remove(destination(), CONSUMER);
          transport.remove(dead(), GRAVEDIGGER);
        }
      }
      case "rabbitmq-stream", "rabbitmq-stream+tls" -> {
        try (RabbitStreamTransport transport = rabbitStreams()) {
          transport.remove(destination());
          transport.remove(dead());
        }
      }
      case "http", "https" -> {
        try (StreamTransport transport = streams()) {
          transport.remove(destination());
          transport.remove(dead());
        }
      }
      default -> {
        try (RedisStreamsTransport transport = redis()) {
          transport.remove(destination(), CONSUMER);
          transport.remove(dead());
        }
      }
    }
  }

  private JetStreamTransport nats() {
    return JetStreamTransport.connect(
        JetStreamSettings.of(url, StreamSettings.of("SEMEL_PROVE_" + run, destination(), dead()))
            .withPublishTimeout(CONFIRM_WITHIN));
  }

  private KafkaTransport kafka() {
    KafkaSettings settings =
        KafkaUrl.settings(url).withPublishTimeout(CONFIRM_WITHIN.plusSeconds(1));
    int replicas;
    try (KafkaTransport asking = KafkaTransport.connect(settings)) {
      replicas = Math.min(USUAL_REPLICAS, asking.brokers());
    }
    return KafkaTransport.connect(
        settings
            .withTopics(TopicSettings.of(PARTITIONS).withReplicas(replicas, replicas > 1 ? 2 : 1))
            .withOption("session.timeout.ms", Long.toString(KAFKA_LEASE.toMillis()))
            .withOption("heartbeat.interval.ms", Long.toString(KAFKA_LEASE.toMillis() / 6)));
  }

  private RabbitTransport rabbit() {
    return RabbitTransport.connect(
        RabbitSettings.of(url)
            .withDestination(destination(), CONSUMER)
            .withDestination(dead(), GRAVEDIGGER)
            .withPublishTimeout(CONFIRM_WITHIN.plusSeconds(1)));
  }

  private RabbitStreamTransport rabbitStreams() {
    return RabbitStreamTransport.connect(
        RabbitStreamSettings.of(url)
            .withDestination(destination())
            .withDestination(dead())
            .withPublishTimeout(CONFIRM_WITHIN.plusSeconds(1)));
  }

  private RedisStreamsTransport redis() {
    return RedisStreamsTransport.connect(RedisStreamsSettings.of(url).withLease(LEASE));
  }

  private StreamTransport streams() {
    StreamClient client = StreamClient.connect(URI.create(url));
    return StreamTransport.over(
        token.isEmpty() ? client : client.withToken(token),
        StreamTransportSettings.defaults()
            .withPrefix(destination())
            .withConfirmWithin(CONFIRM_WITHIN)
            .withLease(LEASE));
  }

  /** Omits URL and token. */
  @Override
  public String toString() {
    return "ProofBroker[" + scheme(url) + "]";
  }
}
