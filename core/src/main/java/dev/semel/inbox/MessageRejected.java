package dev.semel.inbox;

/**
 * Thrown by a handler that will never accept the message: trying again is of no use. After any
 * other exception the message may be tried again.
 */
public final class MessageRejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MessageRejected(String message) {
    super(message);
  }

  public MessageRejected(String message, Throwable cause) {
    super(message, cause);
  }
}
