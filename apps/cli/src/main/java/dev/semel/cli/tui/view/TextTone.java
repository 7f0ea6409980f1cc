package dev.semel.cli.tui.view;

/** The meaning of a text or line, which a {@link Palette} turns into a style. */
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
  /** The chosen row. */
  CHOSEN,
  /** The border of the part that has the keyboard. */
  FOCUS,
  BORDER,
  BUTTON,
  BUTTON_GOOD,
  BUTTON_BAD
}
