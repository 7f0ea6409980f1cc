package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;

/** Format of results on standard output. */
public enum OutputFormat {
  /** For people: columns with headings. */
  TABLE,
  /** One JSON document. */
  JSON,
  /** One JSON object a line. */
  JSONL,
  /** For scripts: tab-separated values, no headings. */
  PLAIN;

  public static OutputFormat parse(String text) {
    try {
      return valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "there is no output format %s: use table, json, jsonl or plain"
              .formatted(PrintableText.quoted(text)));
    }
  }

  /**
   * Whether a program parses standard output as JSON; everything else then goes to standard error.
   */
  public boolean machine() {
    return this == JSON || this == JSONL;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
