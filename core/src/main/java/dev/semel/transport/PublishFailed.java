package dev.semel.transport;

import dev.semel.StoreException;

/** Thrown when the broker did not confirm a message; {@link #kind} says whether to try again. */
public final class PublishFailed extends StoreException {
  private static final long serialVersionUID = 1L;

  /** What the failure means for this message and for others. */
  public enum Kind {
    /** The broker can't be reached or did not answer: whether it has the message is unknown. */
    UNREACHABLE,
    /** The broker refused the message for now: it does not have it, and may take it later. */
    BUSY,
    /**
     * The broker will never take the message as it is: it is too large, or its destination does not
     * exist.
     */
    REFUSED
  }

  private final Kind kind;

  public PublishFailed(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public PublishFailed(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
