package dev.semel.http;

/** What becomes of a request without a key. */
public enum KeyRule {
  /** It is refused. */
  REQUIRED,
  /** It is passed on unguarded. */
  OPTIONAL,
  /** It gets a new key, which the answer names. */
  GENERATED
}
