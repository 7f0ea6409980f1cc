package dev.semel.micrometer;

import java.util.Locale;

/** The names of all tags. */
final class MeterTag {
  static final String OPERATION = "operation";
  static final String OUTCOME = "outcome";
  static final String DESTINATION = "destination";
  static final String CONSUMER = "consumer";
  static final String ALERT = "alert";
  static final String LOOP = "loop";

  private MeterTag() {}

  static String value(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
