package dev.semel.server.subscription.internal.rules;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.util.List;
import java.util.Optional;

/** The members of a JSON object by name and kind. Null counts as missing. */
public record JsonFields(JsonObject object) {

  public static JsonFields of(JsonValue value, String what) {
    if (value instanceof JsonObject o) {
      return new JsonFields(o);
    }
    throw new InvalidInput(what + " must be a JSON object");
  }

  private Optional<JsonValue> find(String name) {
    return object.get(name).filter(value -> !(value instanceof JsonNull));
  }

  public Optional<String> findText(String name) {
    return find(name).map(value -> text(value, name));
  }

  public String text(String name) {
    return findText(name).orElseThrow(() -> missing(name, "text"));
  }

  public static String text(JsonValue value, String name) {
    if (value instanceof JsonString s) {
      return s.text();
    }
    throw new InvalidInput(PrintableText.safe(name) + " must be text");
  }

  public Optional<Long> findNumber(String name) {
    return find(name).map(value -> number(value, name));
  }

  public long number(String name) {
    return findNumber(name).orElseThrow(() -> missing(name, "a whole number"));
  }

  static long number(JsonValue value, String name) {
    if (value instanceof JsonNumber n) {
      try {
        return n.value().longValueExact();
      } catch (ArithmeticException e) {
        // Falls through: it has a fraction or is out of range.
      }
    }
    throw new InvalidInput(PrintableText.safe(name) + " must be a whole number");
  }

  public boolean flag(String name) {
    return find(name).map(value -> flag(value, name)).orElse(false);
  }

  private static boolean flag(JsonValue value, String name) {
    if (value instanceof JsonBoolean b) {
      return b.value();
    }
    throw new InvalidInput(name + " must be true or false");
  }

  /** A missing member is an empty list. */
  public List<JsonValue> list(String name) {
    return find(name)
        .map(
            value -> {
              if (value instanceof JsonArray a) {
                return a.items();
              }
              throw new InvalidInput(name + " must be an array");
            })
        .orElse(List.of());
  }

  public Optional<JsonFields> findObject(String name) {
    return find(name).map(value -> of(value, name));
  }

  private static InvalidInput missing(String name, String kind) {
    return new InvalidInput("%s is missing: it must be %s".formatted(name, kind));
  }
}
