package dev.semel.alert;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * When a rule's alert begins and ends. Between limit and calm nothing changes, so that a value that
 * hovers about the limit is one alert.
 *
 * @param on false: the rule is not checked
 * @param limit more than this begins an alert
 * @param calm no more than this ends it
 * @param after how long the limit must be exceeded before the alert fires
 * @param clear how long the value must be calm before the alert is resolved
 */
public record AlertThreshold(
    boolean on, double limit, double calm, Duration after, Duration clear) {
  public AlertThreshold {
    if (calm > limit || calm < 0 || after.isNegative() || clear.isNegative()) {
      throw new InvalidInput(
          "an alert ends at or below the level at which it begins, and neither that nor a time is negative");
    }
  }

  /** Sets the limit; calm keeps its share of it. */
  AlertThreshold withLimit(double value) {
    double share = limit == 0 ? 0 : calm / limit;
    return new AlertThreshold(true, value, share * value, after, clear);
  }

  AlertThreshold withCalm(double value) {
    return new AlertThreshold(on, limit, value, after, clear);
  }

  AlertThreshold withAfter(Duration value) {
    return new AlertThreshold(on, limit, calm, value, clear);
  }

  AlertThreshold withClear(Duration value) {
    return new AlertThreshold(on, limit, calm, after, value);
  }

  AlertThreshold off() {
    return new AlertThreshold(false, limit, calm, after, clear);
  }
}
