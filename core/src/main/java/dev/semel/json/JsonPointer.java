package dev.semel.json;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The place of a value in a JSON document, by RFC 6901: {@code /event/id}, {@code /items/0/sku}. In
 * a name, {@code ~0} stands for a tilde and {@code ~1} for a slash.
 */
public final class JsonPointer {
  /** Longest pointer, in characters. */
  public static final int MAX_LENGTH = 256;

  private static final Pattern TEXT = Pattern.compile("(/([^~/]|~[01])*)*", Pattern.DOTALL);
  private static final Pattern INDEX = Pattern.compile("0|[1-9]\\d{0,8}");

  private final String text;
  private final List<String> steps;

  private JsonPointer(String text, List<String> steps) {
    this.text = text;
    this.steps = steps;
  }

  public static JsonPointer parse(String text) {
    if (text.length() > MAX_LENGTH || !TEXT.matcher(text).matches()) {
      throw new InvalidInput(
          "%s is not a JSON pointer: write one such as /id or /event/id, at most %d characters"
              .formatted(PrintableText.quoted(text), MAX_LENGTH));
    }
    return new JsonPointer(
        text,
        Stream.of(text.split("/", -1))
            .skip(1) // the empty text before the first slash
            .map(step -> step.replace("~1", "/").replace("~0", "~"))
            .toList());
  }

  /** The value there; empty when a step leads nowhere. A JSON null is a value. */
  public Optional<JsonValue> in(JsonValue root) {
    Optional<JsonValue> found = Optional.of(root);
    for (String step : steps) {
      found = found.flatMap(value -> follow(step, value));
    }
    return found;
  }

  private static Optional<JsonValue> follow(String step, JsonValue value) {
    if (value instanceof JsonArray array && INDEX.matcher(step).matches()) {
      int index = Integer.parseInt(step);
      return index < array.items().size()
          ? Optional.of(array.items().get(index))
          : Optional.empty();
    }
    return value instanceof JsonObject object ? object.get(step) : Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonPointer p && text.equals(p.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
