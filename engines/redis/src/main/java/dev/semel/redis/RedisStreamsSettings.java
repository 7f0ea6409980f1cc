package dev.semel.redis;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Settings of {@link RedisStreamsTransport}.
 *
 * @param url as for {@link RedisStore#open}, including options; never shown with its password
 * @param partitions how many streams a new destination gets; an existing one keeps its number
 * @param duplicateWindow how long Redis remembers an id; at least as long as a message may be sent
 *     again
 * @param maxMessageBytes the largest message, with all its parts
 * @param maxLength how many unfinished messages a partition holds at most
 * @param maxBytes about how much memory they take at most
 * @param lease after this time of silence another reader takes over a reader's partitions
 */
public record RedisStreamsSettings(
    String url,
    int partitions,
    Duration duplicateWindow,
    int maxMessageBytes,
    long maxLength,
    long maxBytes,
    Duration lease) {
  public static final int MAX_PARTITIONS = 64;

  /** Far below Redis's limit (512 MB), because Redis serves nobody else while it copies a value. */
  public static final int MAX_MESSAGE_BYTES = 16 << 20;

  /** With a longer window the ids would fill the memory. */
  public static final Duration MAX_DUPLICATE_WINDOW = Duration.ofDays(1);

  public RedisStreamsSettings {
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new InvalidInput(
          "a destination has between 1 and %d partitions".formatted(MAX_PARTITIONS));
    }
    if (duplicateWindow.toMillis() < 100 || duplicateWindow.compareTo(MAX_DUPLICATE_WINDOW) > 0) {
      throw new InvalidInput(
          "the duplicate window is between 100 ms and %s, because all ids of that time are in memory"
              .formatted(MAX_DUPLICATE_WINDOW));
    }
    if (maxMessageBytes < 1 || maxMessageBytes > MAX_MESSAGE_BYTES) {
      throw new InvalidInput(
          "the limit of a message's bytes is between 1 and %d".formatted(MAX_MESSAGE_BYTES));
    }
    if (maxLength < 1 || maxBytes < 1) {
      throw new InvalidInput("a partition must have room for at least one message");
    }
    if (lease.toMillis() < 500) {
      throw new InvalidInput("the lease is too short: give it at least 500 ms");
    }
  }

  public static RedisStreamsSettings of(String url) {
    return new RedisStreamsSettings(
        url, 8, Duration.ofMinutes(10), 1 << 20, 1_000_000, 256 << 20, Duration.ofSeconds(10));
  }

  public RedisStreamsSettings withPartitions(int value) {
    return new RedisStreamsSettings(
        url, value, duplicateWindow, maxMessageBytes, maxLength, maxBytes, lease);
  }

  public RedisStreamsSettings withDuplicateWindow(Duration value) {
    return new RedisStreamsSettings(
        url, partitions, value, maxMessageBytes, maxLength, maxBytes, lease);
  }

  public RedisStreamsSettings withMaxMessageBytes(int value) {
    return new RedisStreamsSettings(
        url, partitions, duplicateWindow, value, maxLength, maxBytes, lease);
  }

  public RedisStreamsSettings withMaxLength(long value) {
    return new RedisStreamsSettings(
        url, partitions, duplicateWindow, maxMessageBytes, value, maxBytes, lease);
  }

  public RedisStreamsSettings withMaxBytes(long value) {
    return new RedisStreamsSettings(
        url, partitions, duplicateWindow, maxMessageBytes, maxLength, value, lease);
  }

  public RedisStreamsSettings withLease(Duration value) {
    return new RedisStreamsSettings(
        url, partitions, duplicateWindow, maxMessageBytes, maxLength, maxBytes, value);
  }

  /** Omits the URL, which may hold a password. */
  @Override
  public String toString() {
    return "RedisStreamsSettings[partitions=%d, duplicateWindow=%s, maxMessageBytes=%d, maxLength=%d, maxBytes=%d, lease=%s]"
        .formatted(partitions, duplicateWindow, maxMessageBytes, maxLength, maxBytes, lease);
  }
}
