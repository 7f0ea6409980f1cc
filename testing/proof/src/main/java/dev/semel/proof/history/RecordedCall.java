package dev.semel.proof.history;

import dev.semel.Key;

/**
 * One call from its beginning to its end, on a clock that all who recorded share.
 *
 * @param client who asked, such as {@code worker-2}
 * @param endedNanos when the answer was there; {@link #NEVER} without one
 */
public record RecordedCall(
    String client,
    Key key,
    RecordedAction action,
    RecordedAnswer answer,
    long beganNanos,
    long endedNanos) {
  /** After everything. */
  public static final long NEVER = Long.MAX_VALUE;

  /** With an answer in place of none. Without one it may still happen, so it does not end. */
  RecordedCall answered(RecordedAnswer given, long nanos) {
    boolean unknown = given.kind() == RecordedAnswer.Kind.UNKNOWN;
    return new RecordedCall(client, key, action, given, beganNanos, unknown ? NEVER : nanos);
  }
}
