package dev.semel.json;

import dev.semel.InvalidInput;
import dev.semel.json.internal.SurrogateCheck;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value, as {@link Json} reads and writes it. Immutable, valid by construction, equal when
 * it means the same.
 */
public sealed interface JsonValue {
  /** Members in the order they were given; the order does not count when two are compared. */
  record JsonObject(Map<String, JsonValue> members) implements JsonValue {
    public JsonObject {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
      members.keySet().forEach(JsonValue::checkText);
    }

    public Optional<JsonValue> get(String name) {
      return Optional.ofNullable(members.get(name));
    }
  }

  record JsonArray(List<JsonValue> items) implements JsonValue {
    public JsonArray {
      items = List.copyOf(items);
    }
  }

  record JsonString(String text) implements JsonValue {
    public JsonString {
      checkText(text);
    }
  }

  /**
   * An exact decimal. Trailing zeros are dropped, so that {@code 1.0}, {@code 1} and {@code 1e0}
   * are equal.
   */
  record JsonNumber(BigDecimal value) implements JsonValue {
    public JsonNumber {
      // Check the exponent first: arithmetic on extreme exponents overflows or fills the memory.
      long exponent = (long) value.precision() - value.scale() - 1;
      if (value.signum() != 0 && Math.abs(exponent) > Json.MAX_EXPONENT) {
        throw new InvalidInput("a number's exponent is at most ±" + Json.MAX_EXPONENT);
      }
      value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
      if (value.precision() > Json.MAX_DIGITS) {
        throw new InvalidInput("a number has at most %d digits".formatted(Json.MAX_DIGITS));
      }
    }
  }

  record JsonBoolean(boolean value) implements JsonValue {}

  record JsonNull() implements JsonValue {}

  static JsonValue of(String text) {
    return new JsonString(text);
  }

  static JsonValue of(boolean value) {
    return new JsonBoolean(value);
  }

  static JsonValue of(long value) {
    return new JsonNumber(BigDecimal.valueOf(value));
  }

  /** The shortest decimal for this double, as ECMAScript writes it. */
  static JsonValue of(double value) {
    if (!Double.isFinite(value)) {
      throw new InvalidInput("JSON has no number for " + value);
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (shortest.precision() == 2) {
      // Java writes two digits where one is enough: 4.9E-324 for 5e-324.
      BigDecimal digit = shortest.round(new MathContext(1, RoundingMode.HALF_EVEN));
      shortest = digit.doubleValue() == value ? digit : shortest;
    }
    return new JsonNumber(shortest);
  }

  private static void checkText(String text) {
    if (SurrogateCheck.firstLone(text) >= 0) {
      throw new InvalidInput(
          "the text holds half of a surrogate pair, which has no UTF-8 form: send whole characters");
    }
  }
}
