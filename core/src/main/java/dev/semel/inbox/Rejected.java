package dev.semel.inbox;

/**
 * Thrown by a handler that will never take the message: trying again is of no use. Any other
 * exception means that it may be tried again.
 */
public final class Rejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Rejected(String message) {
    super(message);
  }

  public Rejected(String message, Throwable cause) {
    super(message, cause);
  }
}
