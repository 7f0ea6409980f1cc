package dev.semel.transport.spi;

import dev.semel.StoreException;

/**
 * Thrown when a consumer's position is not where it was expected: another reader has read on.
 * Nothing was written.
 */
public final class PositionMoved extends StoreException {
  private static final long serialVersionUID = 1L;

  public PositionMoved(String message) {
    super(message);
  }
}
