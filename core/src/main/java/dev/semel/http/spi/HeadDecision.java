package dev.semel.http.spi;

import dev.semel.http.HttpIdempotency;

/** The decision after a request's head was read. */
public sealed interface HeadDecision {
  /** Not guarded: pass it on unchanged, its body unread. */
  record Pass() implements HeadDecision {}

  /** Send this answer without reading further. */
  record Refused(HttpAnswer answer) implements HeadDecision {}

  /**
   * Guarded: read the body, then decide.
   *
   * @param maxBytes a longer body is refused with {@link HttpIdempotency#tooLarge}
   */
  record NeedsBody(HttpRequest head, String key, int maxBytes) implements HeadDecision {}
}
