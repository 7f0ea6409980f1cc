package dev.semel.json.internal;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one document by recursive descent. */
public final class JsonReader {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final JsonCursor in;

  public JsonReader(String text) {
    this.in = new JsonCursor(text);
  }

  public JsonValue document() {
    int lone = SurrogateCheck.firstLone(in.text);
    if (lone >= 0) {
      throw in.refused(lone, "expected a whole character, found half of a surrogate pair");
    }
    if (in.peek() == BYTE_ORDER_MARK) {
      throw in.refused(0, "expected a value, found a byte order mark: send UTF-8 without one");
    }
    in.blanks();
    JsonValue value = value(0);
    in.blanks();
    if (in.at < in.text.length()) {
      throw in.expected("the end of the input");
    }
    return value;
  }

  private JsonValue value(int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw in.refused(in.at, "expected at most %d levels of nesting".formatted(Json.MAX_DEPTH));
    }
    return switch (in.peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> new JsonString(JsonText.read(in));
      case 't' -> literal("true", new JsonBoolean(true));
      case 'f' -> literal("false", new JsonBoolean(false));
      case 'n' -> literal("null", new JsonNull());
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw in.expected("a value");
    };
  }

  private JsonValue object(int depth) {
    in.at++;
    Map<String, JsonValue> members = new LinkedHashMap<>();
    in.blanks();
    if (in.peek() == '}') {
      in.at++;
      return new JsonObject(members);
    }
    while (true) {
      member(members, depth);
      in.blanks();
      switch (in.peek()) {
        case ',' -> in.at++;
        case '}' -> {
          in.at++;
          return new JsonObject(members);
        }
        default -> throw in.expected("a comma or \"}\"");
      }
      in.blanks();
    }
  }

  private void member(Map<String, JsonValue> members, int depth) {
    if (in.peek() != '"') {
      throw in.expected("a member's name in quotation marks");
    }
    int start = in.at;
    String name = JsonText.read(in);
    in.blanks();
    if (in.peek() != ':') {
      throw in.expected("a colon");
    }
    in.at++;
    in.blanks();
    if (members.putIfAbsent(name, value(depth + 1)) != null) {
      throw in.refused(
          start, "expected each member once, found %s again".formatted(PrintableText.quoted(name)));
    }
  }

  private JsonValue array(int depth) {
    in.at++;
    List<JsonValue> items = new ArrayList<>();
    in.blanks();
    if (in.peek() == ']') {
      in.at++;
      return new JsonArray(items);
    }
    while (true) {
      items.add(value(depth + 1));
      in.blanks();
      switch (in.peek()) {
        case ',' -> in.at++;
        case ']' -> {
          in.at++;
          return new JsonArray(items);
        }
        default -> throw in.expected("a comma or \"]\"");
      }
      in.blanks();
    }
  }

  private JsonValue literal(String word, JsonValue value) {
    if (!in.text.startsWith(word, in.at)) {
      throw in.expected(word);
    }
    in.at += word.length();
    return value;
  }

  private JsonValue number() {
    int start = in.at;
    if (in.peek() == '-') {
      in.at++;
    }
    if (in.peek() == '0') {
      in.at++; // nothing may follow a leading zero: 007 is not a number
    } else {
      digits();
    }
    if (in.peek() == '.') {
      in.at++;
      digits();
    }
    if (in.peek() == 'e' || in.peek() == 'E') {
      in.at++;
      if (in.peek() == '+' || in.peek() == '-') {
        in.at++;
      }
      digits();
    }
    if (in.at - start > Json.MAX_NUMBER_LENGTH) {
      throw in.refused(
          start,
          "expected a number of at most %d characters, found %d"
              .formatted(Json.MAX_NUMBER_LENGTH, in.at - start));
    }
    try {
      return new JsonNumber(new BigDecimal(in.text.substring(start, in.at)));
    } catch (IllegalArgumentException e) { // BigDecimal's limits, or our tighter ones
      throw in.refused(
          start,
          "expected a number of at most %d digits with an exponent of at most %d"
              .formatted(Json.MAX_DIGITS, Json.MAX_EXPONENT));
    }
  }

  private void digits() {
    int start = in.at;
    while (in.peek() >= '0' && in.peek() <= '9') {
      in.at++;
    }
    if (in.at == start) {
      throw in.expected("a digit");
    }
  }
}
