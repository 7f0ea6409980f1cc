package dev.semel.admin.document;

import dev.semel.alert.Alert;
import dev.semel.alert.AlertList;
import dev.semel.alert.AlertRule;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.List;

/** What is beyond its limit. */
public final class AlertDocument {
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
