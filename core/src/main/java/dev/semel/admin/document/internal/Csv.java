package dev.semel.admin.document.internal;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonString;
import java.util.List;
import java.util.stream.Collectors;

/** Rows as RFC 4180 has them, with nothing in them that a spreadsheet would calculate. */
public final class Csv {
  public static final String LINE_END = "\r\n";

  /** A cell that begins with one of these is a formula to some program; full-width ones too. */
  private static final String FORMULA = "=+-@\t\r\n|%＝＋－＠";

  private Csv() {}

  public static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(",")) + LINE_END;
  }

  /** Numbers are left as they are: we made them, and they are to be calculated with. */
  public static String cell(JsonValue value) {
    return switch (value) {
      case JsonNull n -> "";
      case JsonNumber n -> n.value().toPlainString();
      case JsonString s -> text(s.text());
      default -> text(Json.write(value));
    };
  }

  /** Text from anywhere. */
  public static String text(String text) {
    String harmless = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    boolean plain =
        harmless.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')
            && harmless.equals(harmless.strip());
    return plain ? harmless : '"' + harmless.replace("\"", "\"\"") + '"';
  }
}
