package dev.semel.cli.tui;

/**
 * A key that was pressed.
 *
 * @param character only where it is a character
 */
record Press(Kind kind, char character) {
  /** The keys that mean something here. */
  enum Kind {
    CHARACTER,
    /** With a letter, together with Ctrl. */
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

  static Press of(Kind kind) {
    return new Press(kind, '\0');
  }

  static Press of(char character) {
    return new Press(Kind.CHARACTER, character);
  }

  static Press control(char letter) {
    return new Press(Kind.CONTROL, letter);
  }

  boolean is(char wanted) {
    return kind == Kind.CHARACTER && character == wanted;
  }

  boolean isControl(char letter) {
    return kind == Kind.CONTROL && character == letter;
  }
}
