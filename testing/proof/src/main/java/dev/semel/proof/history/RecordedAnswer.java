package dev.semel.proof.history;

/**
 * The answer to a call.
 *
 * @param attempt of the record; 0 if the answer has none
 * @param value the stored or returned value, or empty; for {@link Kind#UNKNOWN} and {@link
 *     Kind#THREW} the reason
 */
public record RecordedAnswer(Kind kind, int attempt, String value) {
  /** All answers of the store and of the executor. */
  public enum Kind {
    /** To a claim: granted. */
    GRANTED,
    /** To a claim: granted after another holder's lease ended without a result. */
    TAKEN_OVER,
    /** To a claim or an execution, like the next four. */
    REPLAY,
    FAILED,
    IN_FLIGHT,
    MISMATCH,
    IN_DOUBT,
    /** To a renewal, completion or release: the token held the key. */
    YES,
    /** To a renewal, completion or release: the token did not hold the key. */
    NO,
    /** To an execution: it ran, and its result was recorded. */
    EXECUTED,
    /** To an execution: it ran, and the caller knows that its result was not recorded. */
    UNRECORDED,
    /** To an execution: the work failed or could not begin, and the caller got the exception. */
    THREW,
    /**
     * No answer, because of a fault or the caller's death: the call may have taken effect, or may
     * still do so.
     */
    UNKNOWN
  }

  static final RecordedAnswer NONE = new RecordedAnswer(Kind.UNKNOWN, 0, "no answer");

  public static RecordedAnswer of(Kind kind) {
    return new RecordedAnswer(kind, 0, "");
  }

  public static RecordedAnswer unknown(String why) {
    return new RecordedAnswer(Kind.UNKNOWN, 0, why);
  }
}
