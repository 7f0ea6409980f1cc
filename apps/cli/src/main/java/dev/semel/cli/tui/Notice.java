package dev.semel.cli.tui;

import dev.semel.cli.tui.view.TextTone;
import java.time.Duration;
import java.time.Instant;

/** A line that shows a result for a while. */
public record Notice(TextTone tone, String text, Instant until) {
  private static final Duration SHOWN = Duration.ofSeconds(8);

  static Notice good(String text, Instant now) {
    return new Notice(TextTone.GOOD, text, now.plus(SHOWN));
  }

  static Notice bad(String text, Instant now) {
    return new Notice(TextTone.BAD, text, now.plus(SHOWN));
  }

  static Notice hint(String text, Instant now) {
    return new Notice(TextTone.WARN, text, now.plus(SHOWN));
  }
}
