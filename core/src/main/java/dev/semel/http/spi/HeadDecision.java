package dev.semel.http.spi;

import dev.semel.http.HttpIdempotency;

/** What a request's head says. */
public sealed interface HeadDecision {
  /** Not guarded: to be passed on as it is, its body unread. */
  record Pass() implements HeadDecision {}

  /** To be answered without reading on. */
  record Refused(HttpAnswer answer) implements HeadDecision {}

  /**
   * To be guarded, once its body was read.
   *
   * @param maxBytes a longer body is refused with {@link HttpIdempotency#tooLarge}
   */
  record NeedsBody(HttpRequest head, String key, int maxBytes) implements HeadDecision {}
}
