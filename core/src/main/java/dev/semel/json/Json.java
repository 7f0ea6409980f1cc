package dev.semel.json;

import dev.semel.InvalidInput;
import dev.semel.json.internal.JsonReader;
import dev.semel.json.internal.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes JSON, strictly by RFC 8259: UTF-8 without a byte order mark, one value and
 * nothing after it, no member name twice. Anything else is refused with an {@link InvalidInput}
 * that says where and what was expected, because two readers that guess differently see two
 * requests.
 */
public final class Json {
  /** Longest input in bytes, or in characters where text is given. */
  public static final int MAX_LENGTH = 4 << 20;

  /** How deep arrays and objects may be nested, both read and written. */
  public static final int MAX_DEPTH = 128;

  /** Longest number in the input, in characters: its digits, and room for sign, point, exponent. */
  public static final int MAX_NUMBER_LENGTH = 400;

  /** Most digits of a number, without leading and trailing zeros. */
  public static final int MAX_DIGITS = MAX_NUMBER_LENGTH - 20;

  /** Largest power of ten of a number's first digit, and smallest when negative. */
  public static final int MAX_EXPONENT = 999_999_999;

  private Json() {}

  public static JsonValue parse(byte[] utf8) {
    checkLength(utf8.length);
    return new JsonReader(decode(utf8)).document();
  }

  public static JsonValue parse(String text) {
    checkLength(text.length());
    return new JsonReader(text).document();
  }

  /**
   * Writes one line without blanks; members keep their order. Characters that could act on a
   * terminal are written as escapes.
   */
  public static String write(JsonValue value) {
    return JsonWriter.compact(value);
  }

  /** Starts an object; add its members one by one. */
  public static JsonObjectBuilder object() {
    return new JsonObjectBuilder();
  }

  private static void checkLength(int length) {
    if (length > MAX_LENGTH) {
      throw new InvalidInput(
          "the JSON is %d bytes long and the limit is %d: send less".formatted(length, MAX_LENGTH));
    }
  }

  /** {@code new String(…)} would silently replace broken bytes. */
  private static String decode(byte[] utf8) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer out = CharBuffer.allocate(utf8.length);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      throw new InvalidInput(
          "not valid JSON at byte offset %d: expected UTF-8, found a byte that is none"
              .formatted(in.position()));
    }
    return out.flip().toString();
  }
}
