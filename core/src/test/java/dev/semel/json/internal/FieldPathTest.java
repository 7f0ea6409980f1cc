package dev.semel.json.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  private static final JsonValue BODY =
      Json.parse(
          """
          {"a": {"b": {"c": 1}}, "items": [{"sku": "x"}, [7, 8]], "dot.ted": 2, "br[0]": 3, "back\\\\slash": 4,
           "nothing": null, "empty": "", "0": "zero", "ключ": 5}
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.b.c|1",
        "a.b|{\"c\":1}",
        "items[0].sku|\"x\"",
        "items[1][1]|8",
        "dot\\.ted|2",
        "br\\[0\\]|3",
        "back\\\\slash|4",
        "nothing|null",
        "empty|\"\"",
        "0|\"zero\"",
        "ключ|5"
      })
  void findsTheField(String path, String expected) {
    assertThat(FieldPath.parse(path).in(BODY).map(Json::write)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b",
        "a.c",
        "a.b.c.d",
        "items[2]",
        "items.0",
        "items[999999999]",
        "a[0]",
        "[0]",
        "dot.ted",
        "nothing.x"
      })
  void findsNothingWhereAStepLeadsNowhere(String path) {
    assertThat(FieldPath.parse(path).in(BODY)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        ".a",
        "a.",
        "a..b",
        "a[",
        "a[]",
        "a[x]",
        "a[-1]",
        "a[01]",
        "a[1]b",
        "a.[0]",
        "a]",
        "a\\b",
        "a\\",
        "a[9999999999]",
        "[0]a",
        "\ud800"
      })
  void refusesWhatIsNoPathAndShowsExamples(String path) {
    assertThatThrownBy(() -> FieldPath.parse(path))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("items[0].sku");
  }

  @Test
  void aPathMayStartInAnArrayAndHasALimit() {
    assertThat(FieldPath.parse("[0].x").in(Json.parse("[{\"x\":1}]"))).contains(JsonValue.of(1));
    assertThat(FieldPath.parse("x".repeat(FieldPath.MAX_LENGTH))).hasToString("x".repeat(256));
    assertThatThrownBy(() -> FieldPath.parse("x".repeat(FieldPath.MAX_LENGTH + 1)))
        .isInstanceOf(InvalidInput.class);
  }
}
