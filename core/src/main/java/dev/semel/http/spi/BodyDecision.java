package dev.semel.http.spi;

/** What a request's body adds to its head. */
public sealed interface BodyDecision {
  /** Without a key, which may be left out: to be passed on with this body. */
  record Pass() implements BodyDecision {}

  /** To be answered without running. */
  record Refused(HttpAnswer answer) implements BodyDecision {}

  /** To be executed once. */
  record Ready(GuardedRequest guarded) implements BodyDecision {}
}
