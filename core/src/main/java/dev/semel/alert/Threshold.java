package dev.semel.alert;

import dev.semel.InvalidInput;
import java.time.Duration;

/**
 * When a rule's alert begins and ends. Between limit and calm nothing changes, so that what hovers
 * about the limit is one alert.
 *
 * @param on false: the rule is not looked at
 * @param limit more than this begins an alert
 * @param calm no more than this ends it
 * @param after how long it must be beyond the limit before the alert fires
 * @param clear how long it must be calm before the alert is resolved
 */
public record Threshold(boolean on, double limit, double calm, Duration after, Duration clear) {
  public Threshold {
    if (calm > limit || calm < 0 || after.isNegative() || clear.isNegative()) {
      throw new InvalidInput(
          "an alert ends at or below the level at which it begins, and neither that nor a time is negative");
    }
  }

  /** The way back keeps its share of the way there. */
  Threshold withLimit(double value) {
    double share = limit == 0 ? 0 : calm / limit;
    return new Threshold(true, value, share * value, after, clear);
  }

  Threshold withCalm(double value) {
    return new Threshold(on, limit, value, after, clear);
  }

  Threshold withAfter(Duration value) {
    return new Threshold(on, limit, calm, value, clear);
  }

  Threshold withClear(Duration value) {
    return new Threshold(on, limit, calm, after, value);
  }

  Threshold off() {
    return new Threshold(false, limit, calm, after, clear);
  }
}
