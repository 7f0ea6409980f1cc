package dev.semel.transport;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * How a subscription hands out messages.
 *
 * @param ackWithin after this time without an acknowledgement a message is delivered again
 * @param maxUnacknowledged how many messages may be out at a time
 * @param runs whether one call may return several messages with the same ordering key. If so, the
 *     taker must handle them in that order, and acknowledge none after one that must come again
 */
public record SubscribeSettings(Duration ackWithin, int maxUnacknowledged, boolean runs) {
  public SubscribeSettings {
    if (ackWithin.toMillis() < 100) {
      throw new InvalidInput("the time to acknowledge is too short: give it at least 100 ms");
    }
    if (maxUnacknowledged < 1) {
      throw new InvalidInput("at least one message must be allowed out at a time");
    }
  }

  public static SubscribeSettings defaults() {
    return new SubscribeSettings(Duration.ofSeconds(30), 256, true);
  }

  public SubscribeSettings withAckWithin(Duration value) {
    return new SubscribeSettings(value, maxUnacknowledged, runs);
  }

  public SubscribeSettings withMaxUnacknowledged(int value) {
    return new SubscribeSettings(ackWithin, value, runs);
  }

  public SubscribeSettings withRuns(boolean value) {
    return new SubscribeSettings(ackWithin, maxUnacknowledged, value);
  }
}
