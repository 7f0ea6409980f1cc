package dev.semel.http.internal;

import dev.semel.InvalidInput;
import dev.semel.http.KeySyntax;
import dev.semel.json.Json;
import dev.semel.json.JsonPointer;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.Optional;

/** Reads a key from a JSON body. */
public final class BodyKey {
  private BodyKey() {}

  /** Thrown when the body is not JSON, so that it is unknown whether it has a key. */
  public static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(JsonPointer pointer, InvalidInput cause) {
      super(
          "the body is to hold the key at %s, but it is not JSON: %s"
              .formatted(pointer, cause.getMessage()),
          cause);
    }
  }

  /**
   * Empty if there is nothing at the pointer.
   *
   * @throws InvalidInput the value there is not a key
   */
  public static Optional<String> in(byte[] body, JsonPointer pointer) {
    JsonValue document;
    try {
      document = Json.parse(body);
    } catch (InvalidInput e) {
      throw new Unreadable(pointer, e);
    }
    Optional<String> key = pointer.in(document).map(BodyKey::text);
    if (key.isPresent() && (key.get().isEmpty() || key.get().length() > KeySyntax.MAX_LENGTH)) {
      throw new InvalidInput(
          "the key at %s is neither a text of 1 to %d characters nor such a number"
              .formatted(pointer, KeySyntax.MAX_LENGTH));
    }
    return key;
  }

  private static String text(JsonValue value) {
    return switch (value) {
      case JsonString text -> text.text();
      case JsonNumber number -> digits(number.value());
      default -> "";
    };
  }

  /** The same text for 7, 7.0 and 70e-1; empty if a large exponent would make it too long. */
  private static String digits(BigDecimal value) {
    BigDecimal shortest = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    boolean fits = Math.abs((long) shortest.scale()) <= KeySyntax.MAX_LENGTH;
    return fits ? shortest.toPlainString() : "";
  }
}
