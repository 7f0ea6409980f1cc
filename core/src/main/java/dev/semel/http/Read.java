package dev.semel.http;

/** What a request's body adds to its head. */
public sealed interface Read {
  /** Without a key, which may be left out: to be passed on with this body. */
  record Pass() implements Read {}

  /** To be answered without running. */
  record Refused(HttpAnswer answer) implements Read {}

  /** To be executed once. */
  record Ready(Guarded guarded) implements Read {}
}
