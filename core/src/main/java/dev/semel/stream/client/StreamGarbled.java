package dev.semel.stream.client;

import dev.semel.StoreException;

/**
 * An answer that can't be read as the protocol has it: JSON or events that are not valid, a header
 * that must be there and is not, more at once than the caller allows. Asking again gives the same.
 */
public final class StreamGarbled extends StoreException {
  private static final long serialVersionUID = 1L;

  StreamGarbled(String message) {
    super(message);
  }
}
