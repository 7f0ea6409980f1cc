package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Members of a command by name. Null counts as missing. */
record CommandFields(JsonObject members) {
  /**
   * @throws InvalidInput it is no JSON object
   */
  static CommandFields parse(byte[] line) {
    if (Json.parse(line) instanceof JsonObject object) {
      return new CommandFields(object);
    }
    throw new InvalidInput("a command is a JSON object");
  }

  private Optional<JsonValue> get(String name) {
    return members.get(name).filter(value -> !(value instanceof JsonNull));
  }

  private static InvalidInput wrong(String name, String kind) {
    return new InvalidInput("the command's %s must be %s".formatted(name, kind));
  }

  Optional<String> find(String name) {
    return get(name)
        .map(
            value -> {
              if (value instanceof JsonString s) {
                return s.text();
              }
              throw wrong(name, "text");
            });
  }

  String text(String name) {
    return find(name).orElseThrow(() -> wrong(name, "there"));
  }

  /** A whole number. */
  Optional<Long> number(String name) {
    return get(name)
        .map(
            value -> {
              try {
                if (value instanceof JsonNumber n) {
                  return n.value().longValueExact();
                }
              } catch (ArithmeticException e) {
                throw wrong(name, "a whole number below 2^63");
              }
              throw wrong(name, "a number");
            });
  }

  /** A whole number from 0, within Java's int. */
  int count(String name, int otherwise) {
    long count = number(name).orElse((long) otherwise);
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw wrong(name, "a number from 0 to " + Integer.MAX_VALUE);
    }
    return (int) count;
  }

  boolean isTrue(String name) {
    return get(name)
        .map(
            value -> {
              if (value instanceof JsonBoolean b) {
                return b.value();
              }
              throw wrong(name, "true or false");
            })
        .orElse(false);
  }

  CommandFields object(String name) {
    if (get(name).orElse(null) instanceof JsonObject object) {
      return new CommandFields(object);
    }
    throw wrong(name, "an object");
  }

  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    if (!(get(name).orElse(null) instanceof JsonArray array)) {
      throw wrong(name, "an array of text");
    }
    for (JsonValue item : array.items()) {
      if (!(item instanceof JsonString text)) {
        throw wrong(name, "an array of text");
      }
      texts.add(text.text());
    }
    return List.copyOf(texts);
  }

  /** Text by name; empty when the command has none. */
  Map<String, String> map(String name) {
    Map<String, String> map = new LinkedHashMap<>();
    if (get(name).isPresent()) {
      CommandFields all = object(name);
      all.members().members().keySet().forEach(each -> map.put(each, all.text(each)));
    }
    return map;
  }

  /** Whether the live mode is {@code true} instead of a name. */
  boolean saysTrue(String name) {
    return get(name).orElse(null) instanceof JsonBoolean b && b.value();
  }

  boolean saysFalse(String name) {
    return get(name).isEmpty() || (get(name).get() instanceof JsonBoolean b && !b.value());
  }
}
