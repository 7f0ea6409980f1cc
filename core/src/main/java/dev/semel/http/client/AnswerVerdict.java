package dev.semel.http.client;

import dev.semel.http.HttpRefusal;
import java.util.Optional;
import java.util.Set;

/** What an answer means to the sender of the request: the whole decision table, without any I/O. */
enum AnswerVerdict {
  EXECUTED,
  REPLAYED,
  IN_DOUBT,
  REFUSED,
  /** Nothing is decided yet: send the request again, with the same key. */
  AGAIN;

  /** Redirects that keep method and body: nothing was done here. */
  private static final Set<Integer> ELSEWHERE = Set.of(307, 308);

  private static final Set<Integer> COME_AGAIN = Set.of(408, 425, 429);
  private static final int CONFLICT = 409;

  /**
   * Decides. A Semel server's problem type takes precedence over the status, because the profiles
   * use different ones.
   *
   * @param replayed the answer is a replay, so another try would get it again
   * @param refusal the type of a Semel server's problem document
   * @param retryAfter whether the server asks for a retry; a bare 409 without that may be the
   *     service's own
   */
  static AnswerVerdict of(
      int status, boolean replayed, Optional<HttpRefusal> refusal, boolean retryAfter) {
    if (refusal.isPresent()) {
      return of(refusal.get());
    }
    if (ELSEWHERE.contains(status)) {
      return REFUSED;
    }
    if (status < 400) {
      return replayed ? REPLAYED : EXECUTED;
    }
    boolean again =
        status >= 500 || COME_AGAIN.contains(status) || (status == CONFLICT && retryAfter);
    return again && !replayed ? AGAIN : REFUSED;
  }

  private static AnswerVerdict of(HttpRefusal refusal) {
    return switch (refusal) {
      case IN_FLIGHT, STORE_AWAY -> AGAIN;
      case IN_DOUBT -> IN_DOUBT;
      case KEY_MISSING,
          KEY_INVALID,
          BODY_UNREADABLE,
          REQUEST_TOO_LARGE,
          MISMATCH,
          FAILED,
          NOT_REPLAYABLE ->
          REFUSED;
    };
  }
}
