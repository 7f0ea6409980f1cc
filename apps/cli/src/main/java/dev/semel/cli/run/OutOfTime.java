package dev.semel.cli.run;

import dev.semel.StoreException;

/** What was tried again and again did not work within its time. */
public final class OutOfTime extends StoreException {
  private static final long serialVersionUID = 1L;

  public OutOfTime(String message, Throwable cause) {
    super(message, cause);
  }
}
