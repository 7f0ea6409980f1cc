package dev.semel.cli.operate;

import dev.semel.admin.document.internal.AlertDocument;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.AlertSettings;
import dev.semel.alert.AlertThreshold;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.TextTable;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Renders alerts. */
final class AlertsView {
  private final List<Alert> alerts;
  private final AlertSettings settings;
  private final boolean all;

  /**
   * @param all whether to show the limits of alerts at rest too
   */
  AlertsView(List<Alert> alerts, AlertSettings settings, boolean all) {
    this.alerts = alerts;
    this.settings = settings;
    this.all = all;
  }

  List<String> lines(OutputFormat format) {
    return switch (format) {
      case TABLE -> table();
      case JSON -> List.of(Json.write(json()));
      case JSONL -> alerts.stream().map(alert -> Json.write(alert.json())).toList();
      case PLAIN -> alerts.stream().map(AlertsView::plain).toList();
    };
  }

  private JsonObject json() {
    JsonObjectBuilder document = AlertDocument.json(alerts);
    if (all) {
      document.with("limits", Arrays.stream(AlertRule.values()).map(this::limit).toList());
    }
    return document.build();
  }

  private JsonObject limit(AlertRule rule) {
    AlertThreshold threshold = settings.of(rule);
    return Json.object()
        .with("alert", rule.word())
        .with("on", threshold.on())
        .with("limit", threshold.limit())
        .with("calm", threshold.calm())
        .with("unit", PrintableText.word(rule.unit()))
        .with("after_ms", threshold.after().toMillis())
        .with("clear_ms", threshold.clear().toMillis())
        .build();
  }

  private static String plain(Alert alert) {
    return String.join(
        "\t",
        PrintableText.word(alert.state()),
        PrintableText.word(alert.rule().severity()),
        alert.rule().word(),
        alert.subject(),
        alert.since().truncatedTo(ChronoUnit.SECONDS).toString(),
        alert.rule().unit().format(alert.seen()),
        alert.rule().unit().format(alert.limit()));
  }

  private List<String> table() {
    List<String> lines = new ArrayList<>();
    if (alerts.isEmpty()) {
      lines.add("nothing is beyond its limit");
    } else {
      TextTable table =
          new TextTable("STATE", "SEVERITY", "ALERT", "SUBJECT", "SINCE", "SEEN", "LIMIT");
      alerts.forEach(alert -> table.row(row(alert)));
      lines.addAll(table.lines());
      for (Alert alert : alerts) {
        lines.add("");
        lines.add(alert.rule().word() + ": " + PrintableText.safe(alert.text()) + ".");
        lines.add("  " + alert.rule().advice() + ".");
        lines.add("  " + alert.rule().runbook());
      }
    }
    if (all) {
      lines.add("");
      limits(lines);
    }
    return lines;
  }

  private static List<String> row(Alert alert) {
    return List.of(
        PrintableText.word(alert.state()),
        PrintableText.word(alert.rule().severity()),
        alert.rule().word(),
        alert.subject().isEmpty() ? "-" : alert.subject(),
        alert.since().truncatedTo(ChronoUnit.SECONDS).toString(),
        alert.rule().unit().brief(alert.seen()),
        alert.rule().unit().brief(alert.limit()));
  }

  private void limits(List<String> lines) {
    TextTable table = new TextTable("ALERT", "LIMIT", "AFTER", "CALM", "CLEAR");
    for (AlertRule rule : AlertRule.values()) {
      AlertThreshold t = settings.of(rule);
      table.row(
          t.on()
              ? List.of(
                  rule.word(),
                  rule.unit().format(t.limit()),
                  DurationText.format(t.after()),
                  rule.unit().format(t.calm()),
                  DurationText.format(t.clear()))
              : List.of(rule.word(), "off", "-", "-", "-"));
    }
    lines.addAll(table.lines());
  }
}
