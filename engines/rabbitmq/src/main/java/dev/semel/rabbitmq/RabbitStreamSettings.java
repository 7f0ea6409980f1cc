package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How to reach a broker's streams, and what is expected there.
 *
 * @param destinations those that are there from the start
 * @param partitions how many streams each destination has; can't be changed once there
 * @param publishTimeout after this time without an answer it is unknown what became of a message
 * @param maxBytes of a payload; the broker takes about 1 MiB with everything around it
 * @param retention what the broker drops when it makes streams
 * @param producer the name by which the broker counts what this process sends. Used by two at a
 *     time, it makes the broker drop messages without a word; so by default it is a new one
 * @param create whether streams that are missing are made; those that are there are never changed
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
   * When the broker drops the oldest, read or not. Zero: never.
   *
   * @param segmentBytes whole segments are dropped; zero: the broker's own
   */
  public record Retention(Duration maxAge, long maxBytesPerPartition, long segmentBytes) {
    public Retention {
      if (maxAge.isNegative() || maxBytesPerPartition < 0 || segmentBytes < 0) {
        throw new InvalidInput("a stream's retention is negative: use zero for no limit");
      }
    }

    /** Nothing is dropped until the disk is full. */
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

  /** As {@link RabbitServer#ofStreams} reads it. */
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

  /** One more that is there from the start. */
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

  /** One that no other process uses at the same time. */
  public RabbitStreamSettings withProducer(String value) {
    return new RabbitStreamSettings(
        server, destinations, partitions, publishTimeout, maxBytes, retention, value, create);
  }

  /** What is missing is an error. */
  public RabbitStreamSettings verifyOnly() {
    return new RabbitStreamSettings(
        server, destinations, partitions, publishTimeout, maxBytes, retention, producer, false);
  }
}
