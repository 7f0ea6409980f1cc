package dev.semel.jdbc;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * Settings of a {@link JdbcOutbox}: its largest payload and its history.
 *
 * @param maxPayloadBytes larger messages are refused when they are added; choose the broker's limit
 * @param keepHistory how long published messages are kept, for replays and audits; zero: no history
 */
public record OutboxSettings(int maxPayloadBytes, Duration keepHistory) {
  /** NATS's default limit. */
  public static final int DEFAULT_MAX_PAYLOAD_BYTES = 1 << 20;

  public OutboxSettings {
    if (maxPayloadBytes < 1) {
      throw new InvalidInput("the largest payload must have at least one byte");
    }
    if (keepHistory.isNegative() || (keepHistory.isPositive() && keepHistory.toMillis() < 1)) {
      throw new InvalidInput("history is kept for at least a millisecond, or with zero not at all");
    }
  }

  public static OutboxSettings defaults() {
    return new OutboxSettings(DEFAULT_MAX_PAYLOAD_BYTES, Duration.ZERO);
  }

  public OutboxSettings withMaxPayloadBytes(int value) {
    return new OutboxSettings(value, keepHistory);
  }

  public OutboxSettings withKeepHistory(Duration value) {
    return new OutboxSettings(maxPayloadBytes, value);
  }

  boolean keepsHistory() {
    return keepHistory.isPositive();
  }
}
