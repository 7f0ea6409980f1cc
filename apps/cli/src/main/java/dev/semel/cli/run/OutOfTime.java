package dev.semel.cli.run;

import dev.semel.StoreException;

/** Repeated tries did not succeed within their time. */
public final class OutOfTime extends StoreException {
  private static final long serialVersionUID = 1L;

  public OutOfTime(String message, Throwable cause) {
    super(message, cause);
  }
}
