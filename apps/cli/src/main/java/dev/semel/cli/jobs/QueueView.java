package dev.semel.cli.jobs;

import dev.semel.admin.OperationRecord;
import dev.semel.admin.document.internal.OperationDocument;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.idempotency.OperationSetting;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Renders one operation. */
record QueueView(OperationRecord queue) {
  static List<String> lines(List<QueueView> views, OutputFormat format) {
    return switch (format) {
      case TABLE -> table(views);
      case JSON ->
          List.of(OperationDocument.json(views.stream().map(QueueView::queue).toList()).write());
      case JSONL -> views.stream().map(view -> OperationDocument.json(view.queue).write()).toList();
      case PLAIN -> views.stream().map(QueueView::plain).toList();
    };
  }

  private static List<String> table(List<QueueView> views) {
    if (views.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable("OPERATION", "MODE", "REQUESTS", "DUPLICATES", "HIT RATE", "SETTINGS");
    views.forEach(
        view ->
            table.row(
                List.of(
                    view.queue.operation().name(),
                    view.mode(),
                    Long.toString(view.queue.requests()),
                    Long.toString(view.queue.duplicates()),
                    String.format(Locale.ROOT, "%.1f %%", view.queue.hitRate() * 100),
                    view.set())));
    return table.lines();
  }

  private String mode() {
    return queue.settings().settings().mode().name().toLowerCase(Locale.ROOT);
  }

  /** Its settings, without the mode, which has a separate column. */
  private String set() {
    String all =
        queue.settings().settings().values().entrySet().stream()
            .filter(entry -> entry.getKey() != OperationSetting.MODE)
            .map(entry -> entry.getKey().text() + "=" + entry.getValue())
            .collect(Collectors.joining(" "));
    return all.isEmpty() ? "-" : all;
  }

  List<String> settingLines() {
    return queue.settings().settings().values().entrySet().stream()
        .map(entry -> "%-20s %s".formatted(entry.getKey().text(), entry.getValue()))
        .toList();
  }

  private String plain() {
    return String.join(
        "\t",
        queue.operation().name(),
        mode(),
        Long.toString(queue.requests()),
        Long.toString(queue.duplicates()),
        set());
  }
}
