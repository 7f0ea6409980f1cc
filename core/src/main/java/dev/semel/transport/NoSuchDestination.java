package dev.semel.transport;

import dev.semel.StoreException;

/** The broker answered, and has nothing that takes messages for a destination. */
public final class NoSuchDestination extends StoreException {
  private static final long serialVersionUID = 1L;

  public NoSuchDestination(String message) {
    super(message);
  }
}
