package dev.semel.cli.operate;

import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.util.Locale;

/**
 * One checked thing and its result.
 *
 * @param text the result, and if it is not well, what to do
 */
record DoctorFinding(String about, Level level, String text) {
  /** How serious a finding is. */
  enum Level {
    OK,
    /** Worth a look. */
    WARNING,
    /** Does not work. */
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
