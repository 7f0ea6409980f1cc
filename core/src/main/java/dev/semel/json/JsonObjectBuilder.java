package dev.semel.json;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds a JSON object member by member; see {@link Json#object()}. For one thread. */
public final class JsonObjectBuilder {
  private final Map<String, JsonValue> members = new LinkedHashMap<>();

  JsonObjectBuilder() {}

  public JsonObjectBuilder with(String name, JsonValue value) {
    if (members.putIfAbsent(name, value) != null) {
      throw new InvalidInput(
          "the member %s stands there twice".formatted(PrintableText.quoted(name)));
    }
    return this;
  }

  public JsonObjectBuilder with(String name, String text) {
    return with(name, JsonValue.of(text));
  }

  public JsonObjectBuilder with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  public JsonObjectBuilder with(String name, double value) {
    return with(name, JsonValue.of(value));
  }

  public JsonObjectBuilder with(String name, boolean value) {
    return with(name, JsonValue.of(value));
  }

  public JsonObjectBuilder with(String name, List<? extends JsonValue> items) {
    return with(name, new JsonArray(List.copyOf(items)));
  }

  public JsonObjectBuilder withNull(String name) {
    return with(name, new JsonNull());
  }

  /** Adds the member unless the text is empty. */
  public JsonObjectBuilder withUnlessEmpty(String name, String text) {
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
