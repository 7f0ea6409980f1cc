package dev.semel.cli.tui;

import java.util.Optional;

/** What the keyboard speaks to: a panel of a wide terminal, a tab of a narrow one. */
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

  /** As a tab. */
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
