package dev.semel.alert;

/** How soon an operator has to look. */
public enum AlertSeverity {
  /** Today. */
  WARNING,
  /** Now. */
  CRITICAL
}
