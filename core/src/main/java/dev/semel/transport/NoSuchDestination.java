package dev.semel.transport;

import dev.semel.StoreException;

/** Thrown when the broker answered that nothing there takes messages for a destination. */
public final class NoSuchDestination extends StoreException {
  private static final long serialVersionUID = 1L;

  public NoSuchDestination(String message) {
    super(message);
  }
}
