package dev.semel.alert;

/** How soon someone has to look. */
public enum Severity {
  /** Today. */
  WARNING,
  /** Now. */
  CRITICAL
}
