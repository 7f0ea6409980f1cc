package dev.semel.idempotency.internal;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.internal.FieldPath;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of a JSON body that identify the request. */
public record ChosenFields(List<FieldPath> paths) {
  public static final int MAX_FIELDS = 64;

  public ChosenFields {
    paths = List.copyOf(paths);
    if (paths.isEmpty() || paths.size() > MAX_FIELDS) {
      throw new InvalidInput(
          "%d fields were chosen: name 1 to %d".formatted(paths.size(), MAX_FIELDS));
    }
    if (new HashSet<>(paths).size() < paths.size()) {
      throw new InvalidInput("a field was chosen twice in " + paths + ": name each once");
    }
  }

  public static ChosenFields of(List<String> paths) {
    return new ChosenFields(paths.stream().map(FieldPath::parse).toList());
  }

  /**
   * The fields by path. A missing one is left out, so that it differs from null; the paths are
   * kept, so that a value is never taken for another field's.
   */
  public JsonObject in(byte[] body) {
    JsonValue whole = Json.parse(body);
    Map<String, JsonValue> found = new LinkedHashMap<>();
    paths.forEach(path -> path.in(whole).ifPresent(value -> found.put(path.toString(), value)));
    return new JsonObject(found);
  }
}
