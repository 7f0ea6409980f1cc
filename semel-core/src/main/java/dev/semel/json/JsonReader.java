package dev.semel.json;

import dev.semel.InvalidInput;
import dev.semel.Printable;
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

/** Reads one document, by descending into it. */
final class JsonReader {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** Stands for "no character left"; NUL itself is never valid outside a string's escapes. */
  private static final char END = '\0';

  private final String text;
  private int at;

  JsonReader(String text) {
    this.text = text;
  }

  JsonValue document() {
    int lone = Surrogates.firstLone(text);
    if (lone >= 0) {
      throw refused(lone, "expected a whole character, found half of a surrogate pair");
    }
    if (peek() == BYTE_ORDER_MARK) {
      throw refused(0, "expected a value, found a byte order mark: send UTF-8 without one");
    }
    blanks();
    JsonValue value = value(0);
    blanks();
    if (at < text.length()) {
      throw expected("the end of the input");
    }
    return value;
  }

  private JsonValue value(int depth) {
    if (depth > Json.MAX_DEPTH) {
      throw refused(at, "expected at most %d levels of nesting".formatted(Json.MAX_DEPTH));
    }
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> new JsonString(string());
      case 't' -> literal("true", new JsonBoolean(true));
      case 'f' -> literal("false", new JsonBoolean(false));
      case 'n' -> literal("null", new JsonNull());
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw expected("a value");
    };
  }

  private JsonValue object(int depth) {
    at++;
    Map<String, JsonValue> members = new LinkedHashMap<>();
    blanks();
    if (peek() == '}') {
      at++;
      return new JsonObject(members);
    }
    while (true) {
      member(members, depth);
      blanks();
      switch (peek()) {
        case ',' -> at++;
        case '}' -> {
          at++;
          return new JsonObject(members);
        }
        default -> throw expected("a comma or \"}\"");
      }
      blanks();
    }
  }

  private void member(Map<String, JsonValue> members, int depth) {
    if (peek() != '"') {
      throw expected("a member's name in quotation marks");
    }
    int start = at;
    String name = string();
    blanks();
    if (peek() != ':') {
      throw expected("a colon");
    }
    at++;
    blanks();
    if (members.putIfAbsent(name, value(depth + 1)) != null) {
      throw refused(
          start, "expected each member once, found %s again".formatted(Printable.quoted(name)));
    }
  }

  private JsonValue array(int depth) {
    at++;
    List<JsonValue> items = new ArrayList<>();
    blanks();
    if (peek() == ']') {
      at++;
      return new JsonArray(items);
    }
    while (true) {
      items.add(value(depth + 1));
      blanks();
      switch (peek()) {
        case ',' -> at++;
        case ']' -> {
          at++;
          return new JsonArray(items);
        }
        default -> throw expected("a comma or \"]\"");
      }
      blanks();
    }
  }

  private JsonValue literal(String word, JsonValue value) {
    if (!text.startsWith(word, at)) {
      throw expected(word);
    }
    at += word.length();
    return value;
  }

  private JsonValue number() {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++; // nothing may follow a leading zero: 007 is not a number
    } else {
      digits();
    }
    if (peek() == '.') {
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
    if (at - start > Json.MAX_NUMBER_LENGTH) {
      throw refused(
          start,
          "expected a number of at most %d characters, found %d"
              .formatted(Json.MAX_NUMBER_LENGTH, at - start));
    }
    try {
      return new JsonNumber(new BigDecimal(text.substring(start, at)));
    } catch (IllegalArgumentException e) { // of BigDecimal's limits, or of ours, which are tighter
      throw refused(
          start,
          "expected a number of at most %d digits with an exponent of at most %d"
              .formatted(Json.MAX_DIGITS, Json.MAX_EXPONENT));
    }
  }

  private void digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == start) {
      throw expected("a digit");
    }
  }

  private String string() {
    at++;
    int start = at;
    StringBuilder unescaped = null;
    while (true) {
      char c = peek();
      if (c == '"') {
        String rest = text.substring(start, at);
        at++;
        return unescaped == null ? rest : unescaped.append(rest).toString();
      }
      if (c < ' ') {
        throw expected(at < text.length() ? "an escape such as \\n" : "a closing quotation mark");
      }
      if (c == '\\') {
        unescaped = unescaped == null ? new StringBuilder() : unescaped;
        unescaped.append(text, start, at);
        at++;
        escape(unescaped);
        start = at;
      } else {
        at++;
      }
    }
  }

  private void escape(StringBuilder out) {
    char c = peek();
    switch (c) {
      case '"', '\\', '/' -> out.append(c);
      case 'b' -> out.append('\b');
      case 'f' -> out.append('\f');
      case 'n' -> out.append('\n');
      case 'r' -> out.append('\r');
      case 't' -> out.append('\t');
      case 'u' -> {
        at++;
        unicode(out);
        return;
      }
      default -> throw expected("one of \" \\ / b f n r t u after a backslash");
    }
    at++;
  }

  private void unicode(StringBuilder out) {
    int start = at - 2;
    char first = codeUnit();
    out.append(first);
    if (Character.isSurrogate(first)) {
      if (!text.startsWith("\\u", at)) {
        throw refused(start, "expected the escapes of a whole surrogate pair, found half of it");
      }
      at += 2;
      char second = codeUnit();
      if (!Character.isSurrogatePair(first, second)) {
        throw refused(start, "expected the escapes of a whole surrogate pair, found half of it");
      }
      out.append(second);
    }
  }

  private char codeUnit() {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      char c = peek();
      if (c > 'f' || Character.digit(c, 16) < 0) {
        throw expected("four hexadecimal digits after \\u");
      }
      unit = unit << 4 | Character.digit(c, 16);
      at++;
    }
    return (char) unit;
  }

  private void blanks() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private InvalidInput expected(String what) {
    String found =
        at < text.length()
            ? Printable.quoted(Character.toString(text.codePointAt(at)))
            : "the end of the input";
    return refused(at, "expected %s, found %s".formatted(what, found));
  }

  /** Lines and columns count from 1, columns in characters as an editor shows them. */
  private InvalidInput refused(int where, String what) {
    String before = text.substring(0, where);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    int column = 1 + before.codePointCount(before.lastIndexOf('\n') + 1, where);
    return new InvalidInput(
        "not valid JSON at line %d, column %d: %s".formatted(line, column, what));
  }
}
