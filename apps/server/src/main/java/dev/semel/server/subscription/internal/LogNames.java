package dev.semel.server.subscription.internal;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.internal.rules.JsonFields;
import java.util.List;

/**
 * Names of the streams for the state.
 *
 * @param current the valid one
 * @param others obsolete, or not valid yet; to be deleted
 */
record LogNames(String current, List<String> others) {
  static final LogNames NONE = new LogNames("", List.of());

  JsonObject json() {
    return Json.object()
        .with("current", current)
        .with("others", others.stream().map(JsonValue::of).toList())
        .build();
  }

  static LogNames read(JsonValue value) {
    JsonFields in = JsonFields.of(value, "the index");
    return new LogNames(
        in.text("current"),
        in.list("others").stream().map(v -> JsonFields.text(v, "others")).toList());
  }
}
