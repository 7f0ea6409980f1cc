package dev.semel.stream.client;

import dev.semel.StoreException;

/**
 * Thrown when an answer does not follow the protocol: invalid JSON or events, a missing header,
 * more data at once than the caller allows. Asking again gives the same.
 */
public final class StreamGarbled extends StoreException {
  private static final long serialVersionUID = 1L;

  StreamGarbled(String message) {
    super(message);
  }
}
