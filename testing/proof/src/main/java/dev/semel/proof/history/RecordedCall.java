package dev.semel.proof.history;

import dev.semel.Key;

/**
 * One call from its beginning to its end, on the recorders' shared clock.
 *
 * @param client the caller, such as {@code worker-2}
 * @param endedNanos when the answer arrived; {@link #NEVER} without one
 */
public record RecordedCall(
    String client,
    Key key,
    RecordedAction action,
    RecordedAnswer answer,
    long beganNanos,
    long endedNanos) {
  /** Later than everything. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The call with an answer. A call without one may still take effect, so it has no end. */
  RecordedCall answered(RecordedAnswer given, long nanos) {
    boolean unknown = given.kind() == RecordedAnswer.Kind.UNKNOWN;
    return new RecordedCall(client, key, action, given, beganNanos, unknown ? NEVER : nanos);
  }
}
