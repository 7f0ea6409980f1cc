package dev.semel.proof.history;

/**
 * What is wrong with one message, or one entry of a log.
 *
 * @param id whose
 * @param what one sentence for people
 */
public record MessageFault(Kind kind, String id, String what) {
  /** How it is wrong. */
  public enum Kind {
    /** It was acknowledged, and is not there. */
    LOST,
    TWICE,
    OUT_OF_ORDER,
    /** It is there, and nobody sent it. */
    GHOST
  }
}
