package dev.semel.cli.operate;

import dev.semel.admin.internal.Migration;
import dev.semel.admin.internal.MigrationReport;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Renders the result of a migration. */
record MigrationView(
    String from,
    String to,
    boolean dryRun,
    Migration.SettingsAccount settings,
    Migration.Place end) {

  static JsonObjectBuilder members(MigrationReport account) {
    return Json.object()
        .with("read", account.read())
        .with("copied", account.copied())
        .with("updated", account.updated())
        .with("already_there", account.same())
        .with("newer_there", account.newer())
        .with("differing", account.differing())
        .with("ended", account.ended());
  }

  boolean clean() {
    return end.account().differing() == 0 && settings.differing().isEmpty();
  }

  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> table();
      case JSON, JSONL -> List.of(json());
      case PLAIN -> List.of(plain());
    };
  }

  private List<String> table() {
    MigrationReport a = end.account();
    List<String> lines = new ArrayList<>();
    lines.add("%s → %s%s".formatted(from, to, dryRun ? " (nothing was written)" : ""));
    TextTable table = new TextTable("WHAT", "RECORDS", "SETTINGS");
    row(table, "read", a.read(), Integer.toString(settings.read()));
    row(table, "copied", a.copied(), Integer.toString(settings.copied()));
    row(table, "updated", a.updated(), "");
    row(table, "already there", a.same(), Integer.toString(settings.same()));
    row(table, "newer there", a.newer(), "");
    row(table, "ended meanwhile", a.ended(), "");
    row(table, "differing", a.differing(), Integer.toString(settings.differing().size()));
    lines.addAll(table.lines());
    end.differing().forEach(key -> lines.add("differs: key " + PrintableText.safe(key)));
    if (a.differing() > end.differing().size()) {
      lines.add("differs: more keys than the %d above".formatted(end.differing().size()));
    }
    settings.differing().forEach(name -> lines.add("differs: settings of " + name));
    return lines;
  }

  private static void row(TextTable table, String what, long records, String settings) {
    table.row(List.of(what, Long.toString(records), settings));
  }

  private String json() {
    return members(end.account())
        .with("from", from)
        .with("to", to)
        .with("dry_run", dryRun)
        .with("differing_keys", texts(end.differing()))
        .with(
            "settings",
            Json.object()
                .with("read", settings.read())
                .with("copied", settings.copied())
                .with("already_there", settings.same())
                .with("differing", texts(settings.differing()))
                .build())
        .write();
  }

  private static List<JsonValue> texts(List<String> texts) {
    return texts.stream().map(JsonValue::of).toList();
  }

  private String plain() {
    MigrationReport a = end.account();
    return "%d\t%d\t%d\t%d\t%d\t%d\t%d"
        .formatted(
            a.read(), a.copied(), a.updated(), a.same(), a.newer(), a.ended(), a.differing());
  }
}
