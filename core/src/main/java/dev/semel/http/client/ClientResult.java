package dev.semel.http.client;

import dev.semel.http.HttpRefusal;
import dev.semel.net.internal.RetryAfter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What became of a request. */
public sealed interface ClientResult {
  /** Under which it was sent, each time; to be used again by whoever goes on with it. */
  String key();

  /** How often it was sent. */
  int tries();

  /** It was done, and this is the answer. */
  record Executed(String key, int tries, HttpResponse<byte[]> answer) implements ClientResult {}

  /** It had been done before, by an earlier try or someone else; this is the first answer. */
  record Replayed(String key, int tries, HttpResponse<byte[]> answer) implements ClientResult {}

  /**
   * It may or may not have been done, and the service can't tell. Find out before sending it with
   * another key.
   */
  record InDoubt(String key, int tries, HttpResponse<byte[]> answer) implements ClientResult {}

  /**
   * The service said no, or failed for good: sending it again changes nothing.
   *
   * @param refusal why, where a Semel server said so; {@link HttpRefusal#NOT_REPLAYABLE} is the one
   *     that means it was done
   */
  record Refused(String key, int tries, HttpResponse<byte[]> answer, Optional<HttpRefusal> refusal)
      implements ClientResult {}

  /**
   * No answer that counts came in time. It may have been done: go on with the same key.
   *
   * @param last the last answer, if there was one since the last failure
   * @param cause why the last try got none
   * @param reason what ended it, for people
   */
  record GaveUp(
      String key,
      int tries,
      Optional<HttpResponse<byte[]>> last,
      Optional<Exception> cause,
      String reason)
      implements ClientResult {
    /** How long the last answer asks to wait; nothing where there was none, or it does not. */
    public Duration retryAfter(Instant now) {
      return last.map(answer -> RetryAfter.of(answer.headers(), now)).orElse(Duration.ZERO);
    }
  }
}
