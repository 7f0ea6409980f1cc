package dev.semel.cli.operate;

import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.util.Locale;

/**
 * What was looked at, and what was seen.
 *
 * @param text what it is; where it is not well, what to do
 */
record DoctorFinding(String about, Level level, String text) {
  /** How it stands. */
  enum Level {
    OK,
    /** It should be looked at. */
    WARNING,
    /** It does not work like this. */
    PROBLEM;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean ok() {
    return level == Level.OK;
  }

  JsonObject json() {
    return Json.object()
        .with("check", about)
        .with("ok", ok())
        .with("level", level.word())
        .with("text", text)
        .build();
  }

  String line() {
    return "%-8s %-7s %s".formatted(level.word(), about, PrintableText.safe(text));
  }

  String plain() {
    return String.join("\t", level.word(), about, PrintableText.safe(text));
  }
}
