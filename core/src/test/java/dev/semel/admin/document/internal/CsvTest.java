package dev.semel.admin.document.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNull;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @ParameterizedTest
  @ValueSource(strings = {"=1", "+1", "-1", "@sum", "\tx", "\rx", "\nx", "|x", "%x", "＝1", "＠x"})
  void whatASpreadsheetWouldCalculateBeginsWithAnApostrophe(String text) {
    assertThat(Csv.text(text).replace("\"", "")).isEqualTo("'" + text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "plain~plain",
        "a b~a b",
        "a=b~a=b",
        "a,b~\"a,b\"",
        "say \"hi\"~\"say \"\"hi\"\"\"",
        "^ a^~^\" a\"^",
        "=a,b~\"'=a,b\"",
        "^^~^^"
      })
  void textIsQuotedWhereItMustBe(String text, String cell) {
    assertThat(Csv.text(text)).isEqualTo(cell);
  }

  @Test
  void lineEndsStayInsideTheirQuotationMarks() {
    assertThat(Csv.text("a\r\nb")).isEqualTo("\"a\r\nb\"");
    assertThat(Csv.row(List.of("a", "b"))).isEqualTo("a,b\r\n");
  }

  @Test
  void numbersStayNumbers() {
    assertThat(Csv.cell(JsonValue.of(-5))).isEqualTo("-5");
    assertThat(Csv.cell(new JsonNull())).isEmpty();
    assertThat(Csv.cell(JsonValue.of(true))).isEqualTo("true");
  }
}
