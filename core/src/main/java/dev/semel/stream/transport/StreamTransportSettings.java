package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.stream.StreamPath;
import dev.semel.transport.spi.ConsumerPositions;
import java.time.Duration;
import java.util.Optional;

/**
 * Layout and limits of a {@link StreamTransport}.
 *
 * @param prefix the path before destinations: a partition's stream is {@code
 *     prefix/destination/partition}
 * @param partitions of each destination; never change it, because it decides where a key's messages
 *     are
 * @param create whether missing streams are created; if not, their destinations are unknown
 * @param confirmWithin after this time without an answer, whether a message was stored is unknown
 * @param maxMessageBytes the stored size of a message, which is a third more than its payload
 * @param lease after this time a silent reader's partition goes to another
 * @param positions for subscriptions without their own: then acknowledgements move them separately
 *     from the effects, and effects may be repeated
 */
public record StreamTransportSettings(
    String prefix,
    int partitions,
    boolean create,
    Duration confirmWithin,
    int maxMessageBytes,
    Duration lease,
    Optional<ConsumerPositions> positions) {
  public static final int MAX_PARTITIONS = 256;

  /** Readers parse a message as JSON, which has this limit. */
  public static final int MOST_MESSAGE_BYTES = Json.MAX_LENGTH;

  public StreamTransportSettings {
    new StreamPath(prefix); // throws if it is not valid
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new InvalidInput(
          "a destination has from 1 to %d partitions: %d are none of these"
              .formatted(MAX_PARTITIONS, partitions));
    }
    if (confirmWithin.toMillis() < 100) {
      throw new InvalidInput("the time to confirm is too short: give it at least 100 ms");
    }
    if (maxMessageBytes < 1 || maxMessageBytes > MOST_MESSAGE_BYTES) {
      throw new InvalidInput(
          "a message may have from 1 to %d bytes as it is stored: %d are none of these"
              .formatted(MOST_MESSAGE_BYTES, maxMessageBytes));
    }
    if (lease.toMillis() < 500) {
      throw new InvalidInput("the lease is too short: give it at least 500 ms");
    }
  }

  public static StreamTransportSettings defaults() {
    return new StreamTransportSettings(
        "messages",
        8,
        true,
        Duration.ofSeconds(5),
        2 << 20,
        Duration.ofSeconds(10),
        Optional.empty());
  }

  public StreamTransportSettings withPrefix(String value) {
    return new StreamTransportSettings(
        value, partitions, create, confirmWithin, maxMessageBytes, lease, positions);
  }

  public StreamTransportSettings withPartitions(int value) {
    return new StreamTransportSettings(
        prefix, value, create, confirmWithin, maxMessageBytes, lease, positions);
  }

  /** Does not create streams: a missing one is an error. */
  public StreamTransportSettings verifyOnly() {
    return new StreamTransportSettings(
        prefix, partitions, false, confirmWithin, maxMessageBytes, lease, positions);
  }

  public StreamTransportSettings withConfirmWithin(Duration value) {
    return new StreamTransportSettings(
        prefix, partitions, create, value, maxMessageBytes, lease, positions);
  }

  public StreamTransportSettings withMaxMessageBytes(int value) {
    return new StreamTransportSettings(
        prefix, partitions, create, confirmWithin, value, lease, positions);
  }

  public StreamTransportSettings withLease(Duration value) {
    return new StreamTransportSettings(
        prefix, partitions, create, confirmWithin, maxMessageBytes, value, positions);
  }

  public StreamTransportSettings withPositions(ConsumerPositions value) {
    return new StreamTransportSettings(
        prefix, partitions, create, confirmWithin, maxMessageBytes, lease, Optional.of(value));
  }
}
