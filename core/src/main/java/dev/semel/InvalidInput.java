package dev.semel;

/** Thrown for an invalid value from outside; the message says what is wrong and what to do. */
public final class InvalidInput extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidInput(String message) {
    super(message);
  }
}
