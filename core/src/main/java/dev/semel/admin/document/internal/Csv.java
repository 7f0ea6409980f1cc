package dev.semel.admin.document.internal;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonString;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of CSV by RFC 4180, without cells that a spreadsheet would calculate. */
public final class Csv {
  public static final String LINE_END = "\r\n";

  /** Some programs take a cell that begins with one of these for a formula; full-width ones too. */
  private static final String FORMULA = "=+-@\t\r\n|%＝＋－＠";

  private Csv() {}

  public static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(",")) + LINE_END;
  }

  /** Numbers are not escaped: we made them, and spreadsheets should calculate with them. */
  public static String cell(JsonValue value) {
    return switch (value) {
      case JsonNull n -> "";
      case JsonNumber n -> n.value().toPlainString();
      case JsonString s -> text(s.text());
      default -> text(Json.write(value));
    };
  }

  /** Escapes text from anywhere. */
  public static String text(String text) {
    String harmless = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    boolean plain =
        harmless.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')
            && harmless.equals(harmless.strip());
    return plain ? harmless : '"' + harmless.replace("\"", "\"\"") + '"';
  }
}
