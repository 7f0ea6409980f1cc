package dev.semel.transport.spi;

import dev.semel.StoreException;

/** A consumer does not stand where it was thought to: another has read on. Nothing was written. */
public final class PositionMoved extends StoreException {
  private static final long serialVersionUID = 1L;

  public PositionMoved(String message) {
    super(message);
  }
}
