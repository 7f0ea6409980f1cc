package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.stream.StreamPath;
import dev.semel.transport.spi.ConsumerPositions;
import java.time.Duration;
import java.util.Optional;

/**
 * How messages lie in streams.
 *
 * @param prefix the path before destinations: a partition's stream is {@code
 *     prefix/destination/partition}
 * @param partitions of each destination; never to be changed, because it decides where a key's
 *     messages are
 * @param create whether streams that are missing are made; if not, their destinations are unknown
 * @param confirmWithin after this time without an answer it is unknown what became of a message
 * @param maxMessageBytes of a message as it is stored, which is a third more than its payload
 * @param lease after this time without a word of its reader a partition is given to another
 * @param positions for who subscribes without any: then acknowledgements move them, each for
 *     itself, and effects may be repeated
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

  /** Readers take a message apart as JSON. */
  public static final int MOST_MESSAGE_BYTES = Json.MAX_LENGTH;

  public StreamTransportSettings {
    new StreamPath(prefix); // checks it
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

  /** A stream that is missing is an error. */
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
