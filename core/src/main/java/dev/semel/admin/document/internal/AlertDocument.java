package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.number;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.time;
import static dev.semel.admin.document.internal.DocumentSchema.truth;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.alert.internal.AlertList;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.List;

/** The JSON form of alerts. */
public final class AlertDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Alerts",
          truth("firing"),
          objects(
              "alerts",
              DocumentSchema.of(
                  "Alert",
                  text("id"),
                  text("alert"),
                  text("subject"),
                  text("state"),
                  text("severity"),
                  time("began"),
                  time("since"),
                  number("seen"),
                  number("limit"),
                  text("unit"),
                  text("text"),
                  text("advice"),
                  text("runbook"))));

  private AlertDocument() {}

  public static JsonObjectBuilder json(List<Alert> alerts) {
    return Json.object()
        .with("firing", AlertList.anyFires(alerts))
        .with("alerts", alerts.stream().map(Alert::json).toList());
  }

  public static List<Alert> read(JsonValue value) {
    return MemberReader.of(value).items("alerts", MemberReader::of).stream()
        .map(
            each ->
                new Alert(
                    each.choice("alert", AlertRule.class),
                    each.textOrEmpty("subject"),
                    each.choice("state", Alert.State.class),
                    each.time("began"),
                    each.time("since"),
                    each.fraction("seen"),
                    each.fraction("limit"),
                    each.text("text")))
        .toList();
  }
}
