package dev.semel.alert;

/** How soon someone has to look. */
public enum AlertSeverity {
  /** Today. */
  WARNING,
  /** Now. */
  CRITICAL
}
