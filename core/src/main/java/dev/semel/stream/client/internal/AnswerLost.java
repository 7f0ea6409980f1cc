package dev.semel.stream.client.internal;

import dev.semel.StoreException;

/**
 * Thrown when a request may have arrived but its answer did not: whether it took effect is unknown.
 */
public final class AnswerLost extends StoreException {
  private static final long serialVersionUID = 1L;

  AnswerLost(String message, Throwable cause) {
    super(message, cause);
  }
}
