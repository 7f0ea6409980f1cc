package dev.semel.cli.tui;

/**
 * A pressed key.
 *
 * @param character only if it is a character
 */
record KeyPress(Kind kind, char character) {
  /** Keys that have a meaning here. */
  public enum Kind {
    CHARACTER,
    /** A letter together with Ctrl. */
    CONTROL,
    TAB,
    ENTER,
    ESCAPE,
    BACKSPACE,
    UP,
    DOWN,
    LEFT,
    RIGHT,
    PAGE_UP,
    PAGE_DOWN,
    HOME,
    END,
    OTHER
  }

  static KeyPress of(Kind kind) {
    return new KeyPress(kind, '\0');
  }

  static KeyPress of(char character) {
    return new KeyPress(Kind.CHARACTER, character);
  }

  static KeyPress control(char letter) {
    return new KeyPress(Kind.CONTROL, letter);
  }

  boolean is(char wanted) {
    return kind == Kind.CHARACTER && character == wanted;
  }

  boolean isControl(char letter) {
    return kind == Kind.CONTROL && character == letter;
  }
}
