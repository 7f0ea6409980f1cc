package dev.semel.nats;

import dev.semel.StoreException;

/**
 * Thrown when the stream does not meet a {@link StreamExpectation}, because another writer was
 * first; the message was not stored.
 */
public final class ExpectationFailed extends StoreException {
  private static final long serialVersionUID = 1L;

  ExpectationFailed(String message) {
    super(message);
  }
}
