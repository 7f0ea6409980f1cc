package dev.semel.admin.document.internal;

import dev.semel.InvalidInput;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads an object member by member. A member of the wrong type is {@link InvalidInput}. */
public record MemberReader(JsonObject object) {
  public static MemberReader of(JsonValue value) {
    if (value instanceof JsonObject object) {
      return new MemberReader(object);
    }
    throw new InvalidInput("an object was expected");
  }

  /** Empty: the member is missing, or null. */
  public Optional<JsonValue> find(String name) {
    return object.get(name).filter(value -> !(value instanceof JsonNull));
  }

  private JsonValue member(String name) {
    return find(name)
        .orElseThrow(() -> new InvalidInput("the member %s is missing".formatted(name)));
  }

  public String text(String name) {
    return text(name, member(name));
  }

  private static String text(String name, JsonValue value) {
    if (value instanceof JsonString string) {
      return string.text();
    }
    throw new InvalidInput("the member %s must be a text".formatted(name));
  }

  /** Decodes Base64. */
  public byte[] bytes(String name) {
    try {
      return Base64.getDecoder().decode(text(name));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("the member %s must be Base64".formatted(name));
    }
  }

  /** Empty if the member is missing. */
  public String textOrEmpty(String name) {
    return find(name).map(value -> text(name, value)).orElse("");
  }

  public long number(String name) {
    return number(name, member(name));
  }

  private static long number(String name, JsonValue value) {
    try {
      if (value instanceof JsonNumber number) {
        return number.value().longValueExact();
      }
    } catch (ArithmeticException e) {
      // reported below
    }
    throw new InvalidInput("the member %s must be a whole number".formatted(name));
  }

  public Optional<Long> findNumber(String name) {
    return find(name).map(value -> number(name, value));
  }

  public int integer(String name) {
    try {
      return Math.toIntExact(number(name));
    } catch (ArithmeticException e) {
      throw new InvalidInput("the member %s is too large".formatted(name));
    }
  }

  public double fraction(String name) {
    if (member(name) instanceof JsonNumber number) {
      return number.value().doubleValue();
    }
    throw new InvalidInput("the member %s must be a number".formatted(name));
  }

  /** False if the member is missing. */
  public boolean truth(String name) {
    return find(name).map(value -> value.equals(new JsonBoolean(true))).orElse(false);
  }

  public Instant time(String name) {
    return findTime(name)
        .orElseThrow(() -> new InvalidInput("the member %s is missing".formatted(name)));
  }

  public Optional<Instant> findTime(String name) {
    try {
      return find(name).map(value -> Instant.parse(text(name, value)));
    } catch (DateTimeParseException e) {
      throw new InvalidInput("the member %s must be a time".formatted(name));
    }
  }

  public Duration millis(String name) {
    return Duration.ofMillis(number(name));
  }

  public Optional<Duration> findMillis(String name) {
    return findNumber(name).map(Duration::ofMillis);
  }

  /** A constant of an enum, as {@code in_doubt} or {@code in-doubt}. */
  public <E extends Enum<E>> E choice(String name, Class<E> type) {
    String wanted = text(name);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(wanted.replace('-', '_'))) {
        return constant;
      }
    }
    throw new InvalidInput("the member %s is none of what it can be".formatted(name));
  }

  public MemberReader below(String name) {
    return of(member(name));
  }

  /** An empty list if the member is missing. */
  public <T> List<T> items(String name, Function<JsonValue, T> item) {
    return find(name).map(value -> list(name, value)).orElse(List.of()).stream().map(item).toList();
  }

  public List<String> texts(String name) {
    return items(name, value -> text(name, value));
  }

  /** An object's members, each a text, in order. */
  public Map<String, String> textsByName(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    below(name).object().members().forEach((each, value) -> texts.put(each, text(each, value)));
    return texts;
  }

  private static List<JsonValue> list(String name, JsonValue value) {
    if (value instanceof JsonArray array) {
      return array.items();
    }
    throw new InvalidInput("the member %s must be an array".formatted(name));
  }
}
