package dev.semel.inbox;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Batch size, attempts and pauses of a {@link MessageConsumer}.
 *
 * @param batch how many messages go to the inbox at a time
 * @param maxAttempts how often a message may be delivered before it is a dead letter
 * @param firstPause before a failed message is delivered again; about twice as long each time
 * @param longestPause the longest of these pauses
 * @param extendEvery how often the consumer extends the broker's deadline for messages in work;
 *     well below the time within which the broker wants them acknowledged
 */
public record ConsumerSettings(
    int batch, int maxAttempts, Duration firstPause, Duration longestPause, Duration extendEvery) {
  private static final ConsumerSettings DEFAULTS =
      new ConsumerSettings(
          100, 10, Duration.ofMillis(200), Duration.ofMinutes(1), Duration.ofSeconds(10));

  public ConsumerSettings {
    if (batch < 1 || maxAttempts < 1) {
      throw new InvalidInput("the consumer's batch and attempts must be at least 1");
    }
    if (!firstPause.isPositive()
        || longestPause.compareTo(firstPause) < 0
        || !extendEvery.isPositive()) {
      throw new InvalidInput(
          "the consumer's pauses must be positive, and the longest at least as long as the first");
    }
  }

  public static ConsumerSettings defaults() {
    return DEFAULTS;
  }

  public ConsumerSettings withBatch(int value) {
    return new ConsumerSettings(value, maxAttempts, firstPause, longestPause, extendEvery);
  }

  public ConsumerSettings withRetries(int attempts, Duration first, Duration longest) {
    return new ConsumerSettings(batch, attempts, first, longest, extendEvery);
  }

  public ConsumerSettings withExtendEvery(Duration value) {
    return new ConsumerSettings(batch, maxAttempts, firstPause, longestPause, value);
  }
}
