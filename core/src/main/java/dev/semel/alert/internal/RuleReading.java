package dev.semel.alert.internal;

import dev.semel.alert.AlertThreshold;

/**
 * The value of one rule for one subject.
 *
 * @param subject empty: the rule has only one subject
 * @param limit the limit that it was compared with
 * @param text the value and the limit, as a sentence
 */
record RuleReading(String subject, double seen, double limit, Zone zone, String text) {
  /** On which side of its limits the value is. */
  enum Zone {
    BEYOND,
    /** Between calm and limit: nothing begins or ends here. */
    BETWEEN,
    CALM
  }

  static Zone zone(AlertThreshold threshold, double seen) {
    return seen > threshold.limit()
        ? Zone.BEYOND
        : seen > threshold.calm() ? Zone.BETWEEN : Zone.CALM;
  }
}
