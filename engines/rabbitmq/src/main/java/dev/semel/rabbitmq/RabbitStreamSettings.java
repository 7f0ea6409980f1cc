package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The connection to a RabbitMQ broker's streams, and the streams expected there.
 *
 * @param destinations created at the start
 * @param partitions how many streams each destination has; can't be changed later
 * @param publishTimeout after this time without an answer a message is in doubt
 * @param maxBytes of a payload; the broker accepts about 1 MiB including headers
 * @param retention when the broker drops messages of new streams
 * @param producer the name by which the broker numbers this process's messages. Two processes with
 *     one name at the same time would make the broker silently drop messages, so the default is a
 *     new name
 * @param create whether to create missing streams; existing ones are never changed
 */
public record RabbitStreamSettings(
    RabbitServer server,
    List<String> destinations,
    int partitions,
    Duration publishTimeout,
    int maxBytes,
    Retention retention,
    String producer,
    boolean create) {
  public static final int LARGEST_BYTES = (1 << 20) - (64 << 10);
  public static final int DEFAULT_MAX_BYTES = 512 << 10;
  public static final Duration SHORTEST_PUBLISH_TIMEOUT = Duration.ofSeconds(1);
  private static final int LONGEST_PRODUCER = 200;

  /**
   * When the broker drops the oldest messages, read or not. Zero: never.
   *
   * @param segmentBytes the broker drops whole segments of this size; zero: its default
   */
  public record Retention(Duration maxAge, long maxBytesPerPartition, long segmentBytes) {
    public Retention {
      if (maxAge.isNegative() || maxBytesPerPartition < 0 || segmentBytes < 0) {
        throw new InvalidInput("a stream's retention is negative: use zero for no limit");
      }
    }

    /** Drops nothing until the disk is full. */
    public static Retention unlimited() {
      return new Retention(Duration.ZERO, 0, 0);
    }
  }

  public RabbitStreamSettings {
    destinations = List.copyOf(destinations);
    destinations.forEach(RabbitNames::requireDestination);
    RabbitNames.requireCount(partitions);
    if (publishTimeout.compareTo(SHORTEST_PUBLISH_TIMEOUT) < 0) {
      throw new InvalidInput("the time to publish to a stream is too short: give it at least 1 s");
    }
    RabbitChecks.requireBytes(maxBytes, LARGEST_BYTES);
    if (producer.isEmpty() || producer.length() > LONGEST_PRODUCER) {
      throw new InvalidInput(
          "a producer's name has between 1 and %d characters".formatted(LONGEST_PRODUCER));
    }
  }

  /** Settings for a URL as for {@link RabbitServer#ofStreams}. */
  public static RabbitStreamSettings of(String url) {
    return new RabbitStreamSettings(
        RabbitServer.ofStreams(url),
        List.of(),
        RabbitSettings.DEFAULT_PARTITIONS,
        RabbitSettings.DEFAULT_PUBLISH_TIMEOUT,
        DEFAULT_MAX_BYTES,
        Retention.unlimited(),
        "semel-" + Ids.uuid7(),
        true);
  }

  public RabbitStreamSettings withServer(RabbitServer value) {
    return new RabbitStreamSettings(
        value, destinations, partitions, publishTimeout, maxBytes, retention, producer, create);
  }

  /** Adds a destination that is created at the start. */
  public RabbitStreamSettings withDestination(String destination) {
    List<String> more = new ArrayList<>(destinations);
    more.add(destination);
    return new RabbitStreamSettings(
        server, more, partitions, publishTimeout, maxBytes, retention, producer, create);
  }

  public RabbitStreamSettings withPartitions(int value) {
    return new RabbitStreamSettings(
        server, destinations, value, publishTimeout, maxBytes, retention, producer, create);
  }

  public RabbitStreamSettings withPublishTimeout(Duration value) {
    return new RabbitStreamSettings(
        server, destinations, partitions, value, maxBytes, retention, producer, create);
  }

  public RabbitStreamSettings withMaxBytes(int value) {
    return new RabbitStreamSettings(
        server, destinations, partitions, publishTimeout, value, retention, producer, create);
  }

  public RabbitStreamSettings withRetention(Retention value) {
    return new RabbitStreamSettings(
        server, destinations, partitions, publishTimeout, maxBytes, value, producer, create);
  }

  /** Sets the producer's name; no other process may use it at the same time. */
  public RabbitStreamSettings withProducer(String value) {
    return new RabbitStreamSettings(
        server, destinations, partitions, publishTimeout, maxBytes, retention, value, create);
  }

  /** Treats missing streams as an error instead of creating them. */
  public RabbitStreamSettings verifyOnly() {
    return new RabbitStreamSettings(
        server, destinations, partitions, publishTimeout, maxBytes, retention, producer, false);
  }
}
