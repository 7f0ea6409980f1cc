package dev.semel.alert.internal;

import dev.semel.alert.AlertThreshold;

/**
 * One rule's look at one subject.
 *
 * @param subject empty: the rule has but one
 * @param limit that it was held against
 * @param text what was seen and what the limit is, as a sentence
 */
record RuleReading(String subject, double seen, double limit, Zone zone, String text) {
  /** On which side of its limits it is. */
  enum Zone {
    BEYOND,
    /** Nothing begins here, and nothing ends. */
    BETWEEN,
    CALM
  }

  static Zone zone(AlertThreshold threshold, double seen) {
    return seen > threshold.limit()
        ? Zone.BEYOND
        : seen > threshold.calm() ? Zone.BETWEEN : Zone.CALM;
  }
}
