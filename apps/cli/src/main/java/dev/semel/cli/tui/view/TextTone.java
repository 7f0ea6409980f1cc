package dev.semel.cli.tui.view;

/** What a text or a line wants to say by its look; a {@link Palette} knows how. */
public enum TextTone {
  PLAIN,
  STRONG,
  MUTED,
  /** Names, and keys to press. */
  ACCENT,
  GOOD,
  WARN,
  BAD,
  INFO,
  /** The row that is chosen. */
  CHOSEN,
  /** The border of what has the keyboard. */
  FOCUS,
  BORDER,
  BUTTON,
  BUTTON_GOOD,
  BUTTON_BAD
}
