package dev.semel.json.internal;

import dev.semel.json.JsonValue;
import java.nio.charset.StandardCharsets;

/**
 * The form in which equal values have equal bytes, by RFC 8785: members sorted by their names'
 * UTF-16 code units, numbers and strings as ECMAScript writes them.
 *
 * <p>One deliberate deviation: RFC 8785 rounds each number to a double first, which makes
 * 9007199254740993 and 9007199254740992 the same amount. Here a number keeps all its digits,
 * formatted by ECMAScript's rules. For each number that is the shortest decimal of some double, and
 * so for everything that ECMAScript itself would write, the result is RFC 8785's to the byte.
 */
public final class CanonicalJson {
  private CanonicalJson() {}

  public static byte[] bytes(JsonValue value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  public static String text(JsonValue value) {
    return JsonWriter.canonical(value);
  }
}
