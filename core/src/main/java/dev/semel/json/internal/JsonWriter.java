package dev.semel.json.internal;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the compact and the canonical form, which differ only in the order of members and in what
 * is escaped.
 */
public final class JsonWriter {
  /** ECMAScript writes integers of up to this many digits without an exponent. */
  private static final int MAX_PLAIN_DIGITS = 21;

  /** And fractions with fewer than this many zeros after the point. */
  private static final int MAX_LEADING_ZEROS = 6;

  private static final HexFormat HEX = HexFormat.of();

  private final StringBuilder out = new StringBuilder();
  private final boolean canonical;

  private JsonWriter(boolean canonical) {
    this.canonical = canonical;
  }

  public static String compact(JsonValue value) {
    return new JsonWriter(false).value(value, 0).out.toString();
  }

  static String canonical(JsonValue value) {
    return new JsonWriter(true).value(value, 0).out.toString();
  }

  private JsonWriter value(JsonValue value, int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw new InvalidInput(
          "the value is nested deeper than %d: make it flatter".formatted(Json.MAX_DEPTH));
    }
    switch (value) {
      case JsonObject o -> object(o.members(), depth);
      case JsonArray a -> array(a, depth);
      case JsonString s -> string(s.text());
      case JsonNumber n -> number(n.value());
      case JsonBoolean b -> out.append(b.value());
      case JsonNull n -> out.append("null");
    }
    return this;
  }

  private void object(Map<String, JsonValue> members, int depth) {
    out.append('{');
    // The order of String is that of UTF-16 code units, as RFC 8785 requires.
    Iterator<Map.Entry<String, JsonValue>> each =
        (canonical ? new TreeMap<>(members) : members).entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, JsonValue> member = each.next();
      string(member.getKey());
      out.append(':');
      value(member.getValue(), depth + 1);
      if (each.hasNext()) {
        out.append(',');
      }
    }
    out.append('}');
  }

  private void array(JsonArray array, int depth) {
    out.append('[');
    Iterator<JsonValue> each = array.items().iterator();
    while (each.hasNext()) {
      value(each.next(), depth + 1);
      if (each.hasNext()) {
        out.append(',');
      }
    }
    out.append(']');
  }

  private void string(String text) {
    out.append('"');
    text.codePoints().forEach(this::character);
    out.append('"');
  }

  private void character(int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\t' -> out.append("\\t");
      case '\n' -> out.append("\\n");
      case '\f' -> out.append("\\f");
      case '\r' -> out.append("\\r");
      default -> {
        if (c < ' ' || (!canonical && PrintableText.unsafe(c))) {
          for (char unit : Character.toChars(c)) {
            out.append("\\u").append(HEX.toHexDigits(unit));
          }
        } else {
          out.appendCodePoint(c);
        }
      }
    }
  }

  /** ECMAScript's Number::toString, for any number of digits. */
  private void number(BigDecimal value) {
    if (value.signum() < 0) {
      out.append('-');
    }
    String digits = value.unscaledValue().abs().toString();
    int count = digits.length();
    int point = count - value.scale(); // its position, counted from the first digit
    if (count <= point && point <= MAX_PLAIN_DIGITS) {
      out.append(digits).repeat('0', point - count);
    } else if (0 < point && point <= MAX_PLAIN_DIGITS) {
      out.append(digits, 0, point).append('.').append(digits, point, count);
    } else if (-MAX_LEADING_ZEROS < point && point <= 0) {
      out.append("0.").repeat('0', -point).append(digits);
    } else {
      out.append(digits.charAt(0));
      if (count > 1) {
        out.append('.').append(digits, 1, count);
      }
      out.append(point > 0 ? "e+" : "e").append(point - 1);
    }
  }
}
