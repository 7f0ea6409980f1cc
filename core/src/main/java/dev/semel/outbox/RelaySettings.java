package dev.semel.outbox;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Lease, batch size, limits and pauses of a {@link Relay}.
 *
 * @param lease how long a silent relay keeps its partitions; then another relay continues
 * @param batch how many messages of a partition are read at a time
 * @param maxInFlight how many messages may wait for the broker's confirmation at a time
 * @param maxAttempts how often the broker may refuse a message for now before it is a dead letter
 * @param firstPause after the first refusal; about twice as long after each further one
 * @param longestPause the longest of these pauses
 * @param poll how often to look when no writer rings
 */
public record RelaySettings(
    Duration lease,
    int batch,
    int maxInFlight,
    int maxAttempts,
    Duration firstPause,
    Duration longestPause,
    Duration poll) {
  private static final RelaySettings DEFAULTS =
      new RelaySettings(
          Duration.ofSeconds(10),
          1000,
          1000,
          10,
          Duration.ofMillis(200),
          Duration.ofMinutes(1),
          Duration.ofMillis(200));

  public RelaySettings {
    if (lease.toMillis() < 100) {
      throw new InvalidInput("the relay's lease is shorter than 100 ms: it could not be kept");
    }
    if (batch < 1 || maxInFlight < 1 || maxAttempts < 1) {
      throw new InvalidInput("the relay's batch, in-flight limit and attempts must be at least 1");
    }
    if (!firstPause.isPositive() || longestPause.compareTo(firstPause) < 0 || !poll.isPositive()) {
      throw new InvalidInput(
          "the relay's pauses must be positive, and the longest at least as long as the first");
    }
  }

  public static RelaySettings defaults() {
    return DEFAULTS;
  }

  public RelaySettings withLease(Duration value) {
    return new RelaySettings(
        value, batch, maxInFlight, maxAttempts, firstPause, longestPause, poll);
  }

  public RelaySettings withBatch(int value) {
    return new RelaySettings(
        lease, value, maxInFlight, maxAttempts, firstPause, longestPause, poll);
  }

  public RelaySettings withMaxInFlight(int value) {
    return new RelaySettings(lease, batch, value, maxAttempts, firstPause, longestPause, poll);
  }

  public RelaySettings withRetries(int attempts, Duration first, Duration longest) {
    return new RelaySettings(lease, batch, maxInFlight, attempts, first, longest, poll);
  }

  public RelaySettings withPoll(Duration value) {
    return new RelaySettings(
        lease, batch, maxInFlight, maxAttempts, firstPause, longestPause, value);
  }

  /**
   * How long after its first try the relay may send a message again. The broker's duplicate window
   * should be longer.
   */
  public Duration retrySpan() {
    return longestPause.multipliedBy(2).plus(lease.multipliedBy(2));
  }
}
