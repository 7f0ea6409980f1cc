package dev.semel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNull;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.json.internal.CanonicalJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Nested
  class Reading {
    @Test
    void readsEveryKindOfValue() {
      assertThat(Json.parse(" {\"a\" : [ 1 , -2.5e-3, true,false , null, \"x\", {} , [] ] }\r\n\t"))
          .isEqualTo(
              new JsonObject(
                  Map.of(
                      "a",
                      new JsonArray(
                          List.of(
                              JsonValue.of(1),
                              new JsonNumber(new BigDecimal("-0.0025")),
                              JsonValue.of(true),
                              JsonValue.of(false),
                              new JsonNull(),
                              JsonValue.of("x"),
                              new JsonObject(Map.of()),
                              new JsonArray(List.of()))))));
    }

    @Test
    void keepsTheOrderOfMembers() {
      assertThat(Json.write(Json.parse("{\"z\":1,\"a\":2,\"m\":3}")))
          .isEqualTo("{\"z\":1,\"a\":2,\"m\":3}");
    }

    @Test
    void readsEscapes() {
      assertThat(Json.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00\\u0000é😀\""))
          .isEqualTo(new JsonString("\"\\/\b\f\n\r\té😀\0é😀"));
    }

    @Test
    void readsUtf8() {
      assertThat(Json.parse("\"é€😀\u007f\"".getBytes(StandardCharsets.UTF_8)))
          .isEqualTo(new JsonString("é€😀\u007f"));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "``|line 1, column 1: expected a value, found the end of the input",
          "`  `|line 1, column 3: expected a value, found the end of the input",
          "`{} x`|line 1, column 4: expected the end of the input, found \"x\"",
          "`1 2`|line 1, column 3: expected the end of the input, found \"2\"",
          "`01`|line 1, column 2: expected the end of the input, found \"1\"",
          "`-`|line 1, column 2: expected a digit, found the end",
          "`1.`|line 1, column 3: expected a digit, found the end",
          "`1.e5`|line 1, column 3: expected a digit, found \"e\"",
          "`1e`|line 1, column 3: expected a digit, found the end",
          "`.5`|line 1, column 1: expected a value, found \".\"",
          "`+1`|line 1, column 1: expected a value, found \"+\"",
          "`NaN`|line 1, column 1: expected a value, found \"N\"",
          "`nul`|line 1, column 1: expected null",
          "`[1,]`|line 1, column 4: expected a value, found \"]\"",
          "`[1 2]`|line 1, column 4: expected a comma or \"]\", found \"2\"",
          "`[`|line 1, column 2: expected a value, found the end",
          "`{\"a\"}`|line 1, column 5: expected a colon, found \"}\"",
          "`{\"a\":1,}`|line 1, column 8: expected a member's name in quotation marks, found \"}\"",
          "`{\"a\":1 \"b\":2}`|line 1, column 8: expected a comma or \"}\"",
          "`{a:1}`|line 1, column 2: expected a member's name",
          "`'a'`|line 1, column 1: expected a value, found \"'\"",
          "`\"abc`|line 1, column 5: expected a closing quotation mark, found the end",
          "`\"\\x\"`|line 1, column 3: expected one of",
          "`\"\\u12G4\"`|line 1, column 6: expected four hexadecimal digits",
          "`\"\\u12`|line 1, column 6: expected four hexadecimal digits after \\u, found the end",
          "`/* */ 1`|line 1, column 1: expected a value, found \"/\"",
          "`{\"a\":1,\"b\":2,\"a\":3}`|line 1, column 14: expected each member once, found \"a\" again",
          "`{\"a\":1,\"\\u0061\":3}`|line 1, column 8: expected each member once, found \"a\" again",
          "`\"\\ud800\"`|line 1, column 2: expected the escapes of a whole surrogate pair",
          "`\"\\ude00\\ud83d\"`|line 1, column 2: expected the escapes of a whole surrogate pair",
          "`\"x\\ud83d\\u0041\"`|line 1, column 3: expected the escapes of a whole surrogate pair"
        })
    void refusesAndSaysWhereAndWhatWasExpected(String text, String expected) {
      assertThatThrownBy(() -> Json.parse(text == null ? "" : text))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining(expected);
    }

    @Test
    void countsLinesAndWholeCharacters() {
      assertThatThrownBy(() -> Json.parse("{\n  \"😀é\": x\n}"))
          .hasMessageContaining("line 2, column 9: expected a value, found \"x\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\t\"", "\"\n\"", "\"\u0000\"", "\"\u001f\""})
    void refusesRawControlCharactersInStrings(String text) {
      assertThatThrownBy(() -> Json.parse(text))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("expected an escape such as \\n");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "\u00a01",
          "\u20281",
          "\u0000",
          "\f1",
          "1\u000b",
          "٣",
          "１",
          "\"\\u００４１\"",
          "\"\\u004g\""
        })
    void refusesBlanksAndDigitsThatAreNotJsons(String text) {
      assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(InvalidInput.class);
    }

    @Test
    void anErrorNeverCarriesControlCharacters() {
      assertThatThrownBy(() -> Json.parse("\u001b[31m")).message().doesNotContain("\u001b");
      assertThatThrownBy(() -> Json.parse("{\"\\u001b\":1,\"\\u001b\":1}"))
          .message()
          .doesNotContain("\u001b");
    }

    @Test
    void refusesAByteOrderMark() {
      assertThatThrownBy(() -> Json.parse("\uFEFF{}".getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("byte order mark");
    }

    /** Overlong, lone surrogate, beyond Unicode, cut short, stray continuation, Latin-1, UTF-16. */
    @ParameterizedTest
    @ValueSource(
        strings = {
          "22c08022",
          "22eda08022",
          "22f490808022",
          "22e282",
          "228022",
          "22e922",
          "fffe220022"
        })
    void refusesBytesThatAreNotUtf8(String hex) {
      assertThatThrownBy(() -> Json.parse(HexFormat.of().parseHex(hex)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("at byte offset " + (hex.startsWith("22") ? 1 : 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\ud800\"", "\"\\ud83d\ude00\"", "\"\ude00\ud83d\""})
    void refusesLoneSurrogatesInText(String text) {
      assertThatThrownBy(() -> Json.parse(text))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("half of a surrogate pair");
    }
  }

  @Nested
  class Limits {
    @Test
    void nestingEndsAtTheLimit() {
      String deepest = "[".repeat(Json.MAX_DEPTH) + "1" + "]".repeat(Json.MAX_DEPTH);
      assertThat(Json.write(Json.parse(deepest))).isEqualTo(deepest);
      assertThatThrownBy(() -> Json.parse("[" + deepest + "]"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("column 130: expected at most 128 levels");
      assertThatThrownBy(() -> Json.parse("[{\"a\":".repeat(1_000_00)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("at most 128 levels");
      assertThatThrownBy(() -> Json.write(new JsonArray(List.of(Json.parse(deepest)))))
          .isInstanceOf(InvalidInput.class);
    }

    @Test
    void inputEndsAtTheLimit() {
      String longest = " ".repeat(Json.MAX_LENGTH - 1) + "1";
      assertThat(Json.parse(longest)).isEqualTo(JsonValue.of(1));
      assertThat(Json.parse(longest.getBytes(StandardCharsets.UTF_8))).isEqualTo(JsonValue.of(1));
      assertThatThrownBy(() -> Json.parse(" " + longest)).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> Json.parse(new byte[Json.MAX_LENGTH + 1]))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("the limit is " + Json.MAX_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "1e1000000000",
          "1e-1000000000",
          "10e999999999",
          "1e99999999999999999999",
          "-1e2147483648"
        })
    void exponentsEndAtTheLimit(String number) {
      assertThatThrownBy(() -> Json.parse("[" + number + "]"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("line 1, column 2")
          .hasMessageContaining("exponent");
    }

    @Test
    void numbersEndAtTheLimit() {
      String most = "1".repeat(Json.MAX_DIGITS);
      assertThat(Json.parse(most)).isEqualTo(new JsonNumber(new BigDecimal(most)));
      assertThatThrownBy(() -> Json.parse(most + "1"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("at most 380 digits");
      assertThatThrownBy(() -> Json.parse("0".repeat(1) + "." + "0".repeat(1_000_000)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("at most 400 characters, found 1000002");
    }

    @Test
    void valuesThatCouldNotBeWrittenAreNeverMade() {
      assertThatThrownBy(() -> new JsonString("\ud800")).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> new JsonObject(Map.of("\ude00", JsonValue.of(1))))
          .isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> JsonValue.of(Double.NaN)).isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> JsonValue.of(Double.NEGATIVE_INFINITY))
          .isInstanceOf(InvalidInput.class);
      assertThatThrownBy(() -> new JsonNumber(new BigDecimal("100e2147483647")))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Nested
  class Writing {
    @Test
    void buildsObjectsInTheOrderOfTheirMembers() {
      assertThat(
              Json.object()
                  .with("z", "text")
                  .with("n", 42)
                  .with("d", 45.2)
                  .with("yes", true)
                  .withNull("none")
                  .withUnlessEmpty("left out", "")
                  .with("list", List.of(JsonValue.of(1), JsonValue.of("two")))
                  .with("inner", Json.object().with("a", Long.MIN_VALUE).build())
                  .write())
          .isEqualTo(
              "{\"z\":\"text\",\"n\":42,\"d\":45.2,\"yes\":true,\"none\":null,"
                  + "\"list\":[1,\"two\"],\"inner\":{\"a\":-9223372036854775808}}");
    }

    @Test
    void aMemberIsGivenOnce() {
      assertThatThrownBy(() -> Json.object().with("a", 1).with("a", 2))
          .isInstanceOf(InvalidInput.class);
    }

    @Test
    void whatCouldActOnATerminalIsEscaped() {
      String nasty = "\u001b[31m\u009b31m\u202e\u2028\u007f\u200b\uFEFF\udb40\udc01\n\"\\é😀";
      String written = Json.write(JsonValue.of(nasty));
      assertThat(written)
          .isEqualTo(
              "\"\\u001b[31m\\u009b31m\\u202e\\u2028\\u007f\\u200b\\ufeff\\udb40\\udc01\\n\\\"\\\\é😀\"");
      assertThat(Json.parse(written)).isEqualTo(JsonValue.of(nasty));
    }

    @Test
    void whatWasWrittenReadsBackEqual() {
      for (long seed = 0; seed < 2_000; seed++) {
        JsonValue value = RandomJson.value(new SplittableRandom(seed), 5);
        assertThat(Json.parse(Json.write(value))).as("seed %d", seed).isEqualTo(value);
        assertThat(Json.parse(CanonicalJson.bytes(value))).as("seed %d", seed).isEqualTo(value);
      }
    }
  }
}
