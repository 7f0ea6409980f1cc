package dev.semel;

/**
 * Thrown when the store did not answer, or its answer was lost. Whether the call took effect is
 * unknown unless a subclass or the message says otherwise: repeat claims, completions and releases
 * with the same token to find out.
 */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
