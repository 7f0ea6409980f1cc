package dev.semel.cli;

import dev.semel.Operation;
import dev.semel.admin.Admin.VersionedSettings;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.Setting;
import dev.semel.json.Json;
import dev.semel.json.Members;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One operation as people and programs see it. */
record QueueView(Operation operation, Counts counts, VersionedSettings settings) {
  static List<String> lines(List<QueueView> views, Format format) {
    return switch (format) {
      case TABLE -> table(views);
      case JSON ->
          List.of(
              Json.object()
                  .with("queues", views.stream().map(view -> view.json().build()).toList())
                  .write());
      case JSONL -> views.stream().map(view -> view.json().write()).toList();
      case PLAIN -> views.stream().map(QueueView::plain).toList();
    };
  }

  private static List<String> table(List<QueueView> views) {
    if (views.isEmpty()) {
      return List.of();
    }
    Table table = new Table("OPERATION", "MODE", "REQUESTS", "DUPLICATES", "HIT RATE", "SETTINGS");
    views.forEach(
        view ->
            table.row(
                List.of(
                    view.operation.name(),
                    view.mode(),
                    Long.toString(view.counts.get(Counter.REQUESTS)),
                    Long.toString(view.counts.get(Counter.DUPLICATES)),
                    String.format(Locale.ROOT, "%.1f %%", view.counts.hitRate() * 100),
                    view.set())));
    return table.lines();
  }

  private String mode() {
    return settings.settings().mode().name().toLowerCase(Locale.ROOT);
  }

  /** What is set, but for the mode, which has a column of its own. */
  private String set() {
    String all =
        settings.settings().values().entrySet().stream()
            .filter(entry -> entry.getKey() != Setting.MODE)
            .map(entry -> entry.getKey().text() + "=" + entry.getValue())
            .collect(Collectors.joining(" "));
    return all.isEmpty() ? "-" : all;
  }

  List<String> settingLines() {
    return settings.settings().values().entrySet().stream()
        .map(entry -> "%-20s %s".formatted(entry.getKey().text(), entry.getValue()))
        .toList();
  }

  private String plain() {
    return String.join(
        "\t",
        operation.name(),
        mode(),
        Long.toString(counts.get(Counter.REQUESTS)),
        Long.toString(counts.get(Counter.DUPLICATES)),
        set());
  }

  private Members json() {
    return Json.object()
        .with("operation", operation.name())
        .with("mode", mode())
        .with("requests", counts.get(Counter.REQUESTS))
        .with("duplicates", counts.get(Counter.DUPLICATES))
        .with("hit_rate", counts.hitRate())
        .with("version", settings.version())
        .with("settings", settingsObject().build());
  }

  Members settingsJson() {
    return Json.object()
        .with("operation", operation.name())
        .with("version", settings.version())
        .with("settings", settingsObject().build());
  }

  private Members settingsObject() {
    Members members = Json.object();
    settings.settings().values().forEach((setting, value) -> members.with(setting.text(), value));
    return members;
  }
}
