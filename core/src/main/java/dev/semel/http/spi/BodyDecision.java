package dev.semel.http.spi;

/** The decision after a request's body was read. */
public sealed interface BodyDecision {
  /** It has no key, and needs none: pass it on with this body. */
  record Pass() implements BodyDecision {}

  /** Send this answer without running the request. */
  record Refused(HttpAnswer answer) implements BodyDecision {}

  /** Execute it once. */
  record Ready(GuardedRequest guarded) implements BodyDecision {}
}
