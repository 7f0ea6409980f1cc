package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The connection to a RabbitMQ broker, and the exchanges and queues expected there.
 *
 * @param destinations created at the start, each with the names of its consumers; only named
 *     consumers also get messages from before their first subscription
 * @param partitions how many queues each consumer of a destination has; can't be changed later
 * @param publishTimeout after this time without an answer a message is in doubt
 * @param maxBytes of a payload; above the broker's own limit the broker would close the connection
 * @param maxWaiting how many messages wait in one partition of one consumer; more are refused for
 *     now; 0: no limit
 * @param prefetch how many unacknowledged messages of a partition are fetched ahead; those of all
 *     partitions may be in memory at once
 * @param create whether to create missing exchanges and queues; existing ones are never changed
 */
public record RabbitSettings(
    RabbitServer server,
    Map<String, List<String>> destinations,
    int partitions,
    Duration publishTimeout,
    int maxBytes,
    long maxWaiting,
    int prefetch,
    boolean create) {
  public static final int MAX_PARTITIONS = 64;
  public static final int DEFAULT_PARTITIONS = 8;
  public static final int MAX_PREFETCH = 1000;
  public static final int DEFAULT_PREFETCH = 100;

  /** The client's limit, whatever the broker's is. */
  public static final int LARGEST_BYTES = 64 << 20;

  public static final int DEFAULT_MAX_BYTES = 4 << 20;
  public static final Duration DEFAULT_PUBLISH_TIMEOUT = Duration.ofSeconds(10);

  public RabbitSettings {
    destinations = checked(destinations);
    RabbitNames.requireCount(partitions);
    RabbitChecks.requirePublishTime(publishTimeout);
    RabbitChecks.requireBytes(maxBytes, LARGEST_BYTES);
    if (maxWaiting < 0) {
      throw new InvalidInput("how many may wait in a partition is negative: use 0 for no limit");
    }
    if (prefetch < 1 || prefetch > MAX_PREFETCH) {
      throw new InvalidInput(
          "between 1 and %d messages of a partition can be fetched ahead".formatted(MAX_PREFETCH));
    }
  }

  private static Map<String, List<String>> checked(Map<String, List<String>> destinations) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    destinations.forEach(
        (destination, consumers) -> {
          RabbitNames.requireDestination(destination);
          consumers.forEach(Transport::requireConsumer);
          all.put(destination, List.copyOf(consumers));
        });
    return Map.copyOf(all);
  }

  /** Settings for a URL as for {@link RabbitServer#of}. */
  public static RabbitSettings of(String url) {
    return new RabbitSettings(
        RabbitServer.of(url),
        Map.of(),
        DEFAULT_PARTITIONS,
        DEFAULT_PUBLISH_TIMEOUT,
        DEFAULT_MAX_BYTES,
        0,
        DEFAULT_PREFETCH,
        true);
  }

  public RabbitSettings withServer(RabbitServer value) {
    return new RabbitSettings(
        value, destinations, partitions, publishTimeout, maxBytes, maxWaiting, prefetch, create);
  }

  /** Adds a destination that is created at the start, with queues for these consumers. */
  public RabbitSettings withDestination(String destination, String... consumers) {
    Map<String, List<String>> more = new LinkedHashMap<>(destinations);
    more.put(destination, List.of(consumers));
    return new RabbitSettings(
        server, more, partitions, publishTimeout, maxBytes, maxWaiting, prefetch, create);
  }

  public RabbitSettings withPartitions(int value) {
    return new RabbitSettings(
        server, destinations, value, publishTimeout, maxBytes, maxWaiting, prefetch, create);
  }

  public RabbitSettings withPublishTimeout(Duration value) {
    return new RabbitSettings(
        server, destinations, partitions, value, maxBytes, maxWaiting, prefetch, create);
  }

  public RabbitSettings withMaxBytes(int value) {
    return new RabbitSettings(
        server, destinations, partitions, publishTimeout, value, maxWaiting, prefetch, create);
  }

  public RabbitSettings withMaxWaiting(long value) {
    return new RabbitSettings(
        server, destinations, partitions, publishTimeout, maxBytes, value, prefetch, create);
  }

  public RabbitSettings withPrefetch(int value) {
    return new RabbitSettings(
        server, destinations, partitions, publishTimeout, maxBytes, maxWaiting, value, create);
  }

  /** Treats missing exchanges and queues as an error instead of creating them. */
  public RabbitSettings verifyOnly() {
    return new RabbitSettings(
        server, destinations, partitions, publishTimeout, maxBytes, maxWaiting, prefetch, false);
  }
}
