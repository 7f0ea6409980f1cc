package dev.semel.http;

/** What happens to a request without a key. */
public enum KeyRule {
  /** It is refused. */
  REQUIRED,
  /** It passes through unguarded. */
  OPTIONAL,
  /** It gets a new key, which the answer names. */
  GENERATED
}
