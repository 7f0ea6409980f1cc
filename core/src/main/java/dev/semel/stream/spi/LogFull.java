package dev.semel.stream.spi;

import dev.semel.StoreException;

/** Thrown when the shared log has reached a limit of its own. Nothing was written. */
public final class LogFull extends StoreException {
  private static final long serialVersionUID = 1L;

  public LogFull() {
    super("the log has reached a limit of its own: nothing was written; raise it, or make room");
  }
}
