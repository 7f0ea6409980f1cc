package dev.semel.nats;

import dev.semel.StoreException;

/** Someone else was faster: the stream is not as it was expected, and the message is not there. */
public final class ExpectationFailed extends StoreException {
  private static final long serialVersionUID = 1L;

  ExpectationFailed(String message) {
    super(message);
  }
}
