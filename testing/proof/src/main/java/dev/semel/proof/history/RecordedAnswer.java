package dev.semel.proof.history;

/**
 * What came back.
 *
 * @param attempt of the record that answered; 0 where the answer names none
 * @param value the stored or returned value; empty where there is none, and for {@link
 *     Kind#UNKNOWN} and {@link Kind#THREW} the reason
 */
public record RecordedAnswer(Kind kind, int attempt, String value) {
  /** Every answer there is, of the store and of the executor. */
  public enum Kind {
    /** A claim's. */
    GRANTED,
    /** A claim's: granted after another's lease ended without a word. */
    TAKEN_OVER,
    /** A claim's or an execution's, like the four after it. */
    REPLAY,
    FAILED,
    IN_FLIGHT,
    MISMATCH,
    IN_DOUBT,
    /** A renewal's, completion's or release's: the token held the key. */
    YES,
    /** A renewal's, completion's or release's: it did not. */
    NO,
    /** An execution's: it ran, and the store says so. */
    EXECUTED,
    /** An execution's: it ran, and the caller was told that the store does not say so. */
    UNRECORDED,
    /** An execution's: the work failed, or could not begin, and the caller was told. */
    THREW,
    /** No answer: a fault, or the caller's death. It may have happened, and may happen yet. */
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
