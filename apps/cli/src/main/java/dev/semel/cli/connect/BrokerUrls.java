package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.nats.JetStreamTransport;
import dev.semel.rabbitmq.RabbitSettings;
import dev.semel.rabbitmq.RabbitStreamSettings;
import dev.semel.rabbitmq.RabbitStreamTransport;
import dev.semel.rabbitmq.RabbitTransport;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.transport.Transport;
import java.util.Locale;

/** Opens a transport by a broker's URL; the only place that knows the kinds of brokers. */
public final class BrokerUrls {
  private static final String KNOWN =
      "nats://, kafka://, amqp://, rabbitmq-stream://, redis:// or redis-cluster://";

  private BrokerUrls() {}

  /**
   * Opens what others have set up; creates nothing.
   *
   * @param url may hold a user and password, which are never shown
   * @param destination to look at
   * @throws dev.semel.transport.NoSuchDestination it has no such destination
   * @throws dev.semel.StoreException it can't be reached or used
   */
  public static Transport existing(String url, String destination) {
    String scheme = url.substring(0, Math.max(0, url.indexOf("://"))).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "nats", "tls" -> JetStreamTransport.existing(url, destination);
      case "kafka" -> KafkaUrl.existing(url, destination);
      case "amqp", "amqps" -> RabbitTransport.existing(RabbitSettings.of(url), destination);
      case "rabbitmq-stream", "rabbitmq-stream+tls" ->
          RabbitStreamTransport.existing(RabbitStreamSettings.of(url), destination);
      case "redis", "rediss", "redis-cluster", "rediss-cluster" ->
          RedisStreamsTransport.existing(RedisStreamsSettings.of(url), destination);
      default ->
          throw new InvalidInput(
              "the broker's URL begins with no scheme that is known here: use %s, such as nats://127.0.0.1:4222"
                  .formatted(KNOWN));
    };
  }
}
