package dev.semel.transport;

import dev.semel.StoreException;

/** A message was not confirmed. */
public final class PublishFailed extends StoreException {
  private static final long serialVersionUID = 1L;

  /** What that means for it, and for others. */
  public enum Kind {
    /** The broker can't be reached or did not answer: whether it has the message is unknown. */
    UNREACHABLE,
    /** The broker refused it for now: it is not there, and may be taken later. */
    BUSY,
    /** It will never be taken as it is: too large, or nobody takes messages for its destination. */
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
