package dev.semel.stream.client.internal;

import dev.semel.StoreException;

/**
 * Thrown when the server could not be reached: the request surely had no effect, and may be sent
 * again.
 */
public final class NotSent extends StoreException {
  private static final long serialVersionUID = 1L;

  NotSent(String message, Throwable cause) {
    super(message, cause);
  }
}
