package dev.semel;

/**
 * A store could not be asked, or its answer did not arrive. Whether the call took effect is unknown
 * unless a subclass or the message says otherwise: claims, completions and releases may be repeated
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
