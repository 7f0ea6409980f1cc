package dev.semel.server.stream;

import dev.semel.InvalidInput;
import dev.semel.server.http.MemoryBudget;
import java.time.Duration;

/**
 * Settings of streams over HTTP, which you pass to {@link
 * dev.semel.server.ServerSettings#withServing}: times and limits.
 *
 * @param longPoll how long a reader waits for data before it gets an empty answer
 * @param sseReconnect how long a connection of events lasts; its reader comes back for more
 * @param maxReadBytes limit of one answer; a single message may be larger
 * @param maxBodyBytes limit of one request's body
 * @param heldBytes limit of the bytes held for all callers together, bodies that came in and
 *     answers that were not taken yet: see {@link MemoryBudget}
 * @param maxLiveReaders readers that may wait for data at a time
 * @param shared whether shared caches on the way may keep answers
 */
public record StreamHttpSettings(
    Duration longPoll,
    Duration sseReconnect,
    int maxReadBytes,
    int maxBodyBytes,
    long heldBytes,
    int maxLiveReaders,
    boolean shared) {
  public StreamHttpSettings {
    if (!longPoll.isPositive() || !sseReconnect.isPositive()) {
      throw new InvalidInput("readers would not wait at all: give long-poll and reconnect a time");
    }
    if (maxReadBytes < 1 || maxBodyBytes < 1 || heldBytes < maxBodyBytes || maxLiveReaders < 1) {
      throw new InvalidInput(
          "a limit of the server is too small: use at least 1, and room for one whole body");
    }
  }

  public static StreamHttpSettings defaults() {
    return new StreamHttpSettings(
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        4 << 20,
        16 << 20,
        MemoryBudget.defaultBytes(),
        100_000,
        false);
  }

  public StreamHttpSettings withLongPoll(Duration other) {
    return new StreamHttpSettings(
        other, sseReconnect, maxReadBytes, maxBodyBytes, heldBytes, maxLiveReaders, shared);
  }

  public StreamHttpSettings withSseReconnect(Duration other) {
    return new StreamHttpSettings(
        longPoll, other, maxReadBytes, maxBodyBytes, heldBytes, maxLiveReaders, shared);
  }

  public StreamHttpSettings withMaxReadBytes(int other) {
    return new StreamHttpSettings(
        longPoll, sseReconnect, other, maxBodyBytes, heldBytes, maxLiveReaders, shared);
  }

  public StreamHttpSettings withMaxBodyBytes(int other) {
    return new StreamHttpSettings(
        longPoll, sseReconnect, maxReadBytes, other, heldBytes, maxLiveReaders, shared);
  }

  public StreamHttpSettings withHeldBytes(long other) {
    return new StreamHttpSettings(
        longPoll, sseReconnect, maxReadBytes, maxBodyBytes, other, maxLiveReaders, shared);
  }

  /** The older name of {@link #heldBytes}. */
  public long maxBodiesBytes() {
    return heldBytes;
  }

  public StreamHttpSettings withMaxLiveReaders(int other) {
    return new StreamHttpSettings(
        longPoll, sseReconnect, maxReadBytes, maxBodyBytes, heldBytes, other, shared);
  }

  public StreamHttpSettings withShared(boolean other) {
    return new StreamHttpSettings(
        longPoll, sseReconnect, maxReadBytes, maxBodyBytes, heldBytes, maxLiveReaders, other);
  }
}
