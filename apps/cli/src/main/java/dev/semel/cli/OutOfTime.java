package dev.semel.cli;

import dev.semel.StoreException;

/** What was tried again and again did not work within its time. */
final class OutOfTime extends StoreException {
  private static final long serialVersionUID = 1L;

  OutOfTime(String message, Throwable cause) {
    super(message, cause);
  }
}
