package dev.semel.proof.history;

/**
 * A fault of one message, or of one entry of a log.
 *
 * @param id of the message or entry
 * @param what one sentence
 */
public record MessageFault(Kind kind, String id, String what) {
  /** The kind of fault. */
  public enum Kind {
    /** Acknowledged, but missing. */
    LOST,
    TWICE,
    OUT_OF_ORDER,
    /** Present, but never sent. */
    GHOST
  }
}
