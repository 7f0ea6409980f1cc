package dev.semel.cli.keys;

import dev.semel.cli.Console;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A listing that is written as it comes, in one of the four formats. Only a table is held back, a
 * part at a time, because its columns must be measured first. For one thread.
 */
final class KeyListing {
  /** Number of rows of a table that are laid out together. */
  private static final int TABLE_PART = 1000;

  private static final String HEAD = "{\"keys\":[";

  private final Console console;
  private final OutputFormat format;
  private final List<KeyView> held = new ArrayList<>();
  private boolean empty = true;

  /** Writes nothing yet, so that a failure before the first row leaves no partial document. */
  KeyListing(Console console, OutputFormat format) {
    this.console = console;
    this.format = format;
  }

  boolean isEmpty() {
    return empty;
  }

  void add(KeyView view) {
    switch (format) {
      case TABLE -> {
        held.add(view);
        if (held.size() == TABLE_PART) {
          printHeld();
        }
      }
      case JSON -> console.streams().out().print((empty ? HEAD : ",") + view.json().write());
      case JSONL -> console.line(view.json().write());
      case PLAIN -> console.line(view.plain());
    }
    empty = false;
  }

  /**
   * @param next where the next page starts; empty: there is none
   */
  void end(String next) {
    if (format == OutputFormat.JSON) {
      String cursor = next.isEmpty() ? "null" : Json.write(JsonValue.of(next));
      console.line((empty ? HEAD : "") + "],\"next\":" + cursor + "}");
    } else if (!held.isEmpty()) {
      printHeld();
    }
  }

  private void printHeld() {
    TextTable table = new TextTable(KeyView.HEADINGS);
    held.forEach(view -> table.row(view.cells()));
    table.lines().forEach(console::line);
    held.clear();
  }
}
