package dev.semel.cli.tui;

import java.util.Optional;

/** A part of the screen that keys act on: a panel of a wide terminal, a tab of a narrow one. */
public enum Panel {
  STATS('1', "Stats"),
  KEYS('2', "Keys"),
  OUTBOX('3', "Outbox"),
  CONFIG('4', "Config");

  private final char digit;
  private final String title;

  Panel(char digit, String title) {
    this.digit = digit;
    this.title = title;
  }

  /** Title of its tab. */
  public String title() {
    return digit + " " + title;
  }

  Panel next() {
    return switch (this) {
      case STATS -> KEYS;
      case KEYS -> OUTBOX;
      case OUTBOX -> CONFIG;
      case CONFIG -> STATS;
    };
  }

  static Optional<Panel> of(char digit) {
    for (Panel panel : values()) {
      if (panel.digit == digit) {
        return Optional.of(panel);
      }
    }
    return Optional.empty();
  }
}
