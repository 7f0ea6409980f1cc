package dev.semel.json;

import dev.semel.InvalidInput;
import dev.semel.PrintableText;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An object in the making; see {@link Json#object()}. For one thread. */
public final class Members {
  private final Map<String, JsonValue> members = new LinkedHashMap<>();

  Members() {}

  public Members with(String name, JsonValue value) {
    if (members.putIfAbsent(name, value) != null) {
      throw new InvalidInput(
          "the member %s stands there twice".formatted(PrintableText.quoted(name)));
    }
    return this;
  }

  public Members with(String name, String text) {
    return with(name, JsonValue.of(text));
  }

  public Members with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  public Members with(String name, double value) {
    return with(name, JsonValue.of(value));
  }

  public Members with(String name, boolean value) {
    return with(name, JsonValue.of(value));
  }

  public Members with(String name, List<? extends JsonValue> items) {
    return with(name, new JsonArray(List.copyOf(items)));
  }

  public Members withNull(String name) {
    return with(name, new JsonNull());
  }

  /** Leaves the member out where there is nothing to say. */
  public Members withUnlessEmpty(String name, String text) {
    return text.isEmpty() ? this : with(name, text);
  }

  public JsonObject build() {
    return new JsonObject(members);
  }

  /** The object so far, as {@link Json#write} writes it. */
  public String write() {
    return Json.write(build());
  }
}
