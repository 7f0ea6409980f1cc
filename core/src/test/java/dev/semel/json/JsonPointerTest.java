package dev.semel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPointerTest {
  /** The document of RFC 6901, section 5. */
  private static final JsonValue DOCUMENT =
      Json.parse(
          """
          {
            "foo": ["bar", "baz"],
            "": 0,
            "a/b": 1,
            "c%d": 2,
            "e^f": 3,
            "g|h": 4,
            "i\\\\j": 5,
            "k\\"l": 6,
            " ": 7,
            "m~n": 8
          }
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
          /foo!["bar","baz"]
          /foo/0!"bar"
          /foo/1!"baz"
          /!0
          /a~1b!1
          /c%d!2
          /e^f!3
          /g|h!4
          /i\\j!5
          /k"l!6
          / !7
          /m~0n!8
          """)
  void theExamplesOfTheStandardLeadWhereItSays(String pointer, String value) {
    assertThat(JsonPointer.parse(pointer).in(DOCUMENT)).contains(Json.parse(value));
  }

  @Test
  void theEmptyPointerIsTheWholeDocument() {
    assertThat(JsonPointer.parse("").in(DOCUMENT)).contains(DOCUMENT);
  }

  /** First the slash, then the tilde: the other way round {@code ~01} would be a slash. */
  @Test
  void anEscapedTildeBeforeAOneIsNoSlash() {
    assertThat(JsonPointer.parse("/~01").in(Json.parse("{\"~1\":1,\"/\":2}")))
        .contains(JsonValue.of(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nothing",
        "/foo/2",
        "/foo/-",
        "/foo/00",
        "/foo/01",
        "/foo/1e0",
        "/foo/-1",
        "/foo/x",
        "/foo/99999999999",
        "/foo/0/deeper",
        "/a~1b/c",
        "/foo/"
      })
  void whatIsNotThereIsEmpty(String pointer) {
    assertThat(JsonPointer.parse(pointer).in(DOCUMENT)).isEmpty();
  }

  @Test
  void aNullIsAValue() {
    assertThat(JsonPointer.parse("/id").in(Json.parse("{\"id\":null}")))
        .contains(new JsonValue.JsonNull());
  }

  @Test
  void aNumberIsANameInAnObject() {
    assertThat(JsonPointer.parse("/0").in(Json.parse("{\"0\":\"x\"}"))).contains(JsonValue.of("x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "id/x", "/a~", "/a~2", "/a~x/b", "#/id"})
  void whatIsNoPointerIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> JsonPointer.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("/event/id");
  }

  @Test
  void pointersHaveALimit() {
    assertThat(JsonPointer.parse("/" + "x".repeat(JsonPointer.MAX_LENGTH - 1))).isNotNull();
    assertThatThrownBy(() -> JsonPointer.parse("/" + "x".repeat(JsonPointer.MAX_LENGTH)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void equalTextsAreEqualPointers() {
    assertThat(JsonPointer.parse("/a/b"))
        .isEqualTo(JsonPointer.parse("/a/b"))
        .hasSameHashCodeAs(JsonPointer.parse("/a/b"))
        .hasToString("/a/b")
        .isNotEqualTo(JsonPointer.parse("/a~1b"));
  }
}
