package dev.semel.http.client;

import dev.semel.http.HttpRefusal;
import dev.semel.net.internal.RetryAfter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The result of a request that an {@link IdempotentClient} sent. */
public sealed interface ClientResult {
  /** The key of all tries; use it again to continue later. */
  String key();

  /** How often the request was sent. */
  int tries();

  /** The request was done, and this is the answer. */
  record Executed(String key, int tries, HttpResponse<byte[]> answer) implements ClientResult {}

  /**
   * The request had been done before, by an earlier try or another caller; this is the first
   * answer.
   */
  record Replayed(String key, int tries, HttpResponse<byte[]> answer) implements ClientResult {}

  /**
   * The request may or may not have been done, and the service can't tell. Find out before sending
   * it with another key.
   */
  record InDoubt(String key, int tries, HttpResponse<byte[]> answer) implements ClientResult {}

  /**
   * The service refused the request, or it failed for good: sending it again changes nothing.
   *
   * @param refusal the reason, where a Semel server gave one; only {@link
   *     HttpRefusal#NOT_REPLAYABLE} means that it was done
   */
  record Refused(String key, int tries, HttpResponse<byte[]> answer, Optional<HttpRefusal> refusal)
      implements ClientResult {}

  /**
   * No decisive answer came in time. The request may have been done: continue with the same key.
   *
   * @param last the last answer, if there was one since the last failure
   * @param cause why the last try got no answer
   * @param reason what ended the call, for people
   */
  record GaveUp(
      String key,
      int tries,
      Optional<HttpResponse<byte[]>> last,
      Optional<Exception> cause,
      String reason)
      implements ClientResult {
    /** How long the last answer asks to wait; zero where there was none, or it does not ask. */
    public Duration retryAfter(Instant now) {
      return last.map(answer -> RetryAfter.of(answer.headers(), now)).orElse(Duration.ZERO);
    }
  }
}
