package dev.semel.json.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.RandomJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {
  private static String canonical(String json) {
    return CanonicalJson.text(Json.parse(json));
  }

  @Nested
  class AsRfc8785Says {
    /** Appendix B: the bits of a double, and its text. */
    @ParameterizedTest
    @CsvSource({
      "0000000000000000, 0",
      "8000000000000000, 0",
      "0000000000000001, 5e-324",
      "8000000000000001, -5e-324",
      "7fefffffffffffff, 1.7976931348623157e+308",
      "ffefffffffffffff, -1.7976931348623157e+308",
      "4340000000000000, 9007199254740992",
      "c340000000000000, -9007199254740992",
      "4430000000000000, 295147905179352830000",
      "44b52d02c7e14af5, 9.999999999999997e+22",
      "44b52d02c7e14af6, 1e+23",
      "44b52d02c7e14af7, 1.0000000000000001e+23",
      "444b1ae4d6e2ef4e, 999999999999999700000",
      "444b1ae4d6e2ef4f, 999999999999999900000",
      "444b1ae4d6e2ef50, 1e+21",
      "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
      "3eb0c6f7a0b5ed8d, 0.000001",
      "41b3de4355555553, 333333333.3333332",
      "41b3de4355555554, 333333333.33333325",
      "41b3de4355555555, 333333333.3333333",
      "41b3de4355555556, 333333333.3333334",
      "41b3de4355555557, 333333333.33333343",
      "becbf647612f3696, -0.0000033333333333333333",
      "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbers(String bits, String expected) {
      double d = Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(bits));
      assertThat(CanonicalJson.text(JsonValue.of(d))).isEqualTo(expected);
      assertThat(canonical(expected)).isEqualTo(expected);
    }

    /**
     * Section 3.2.2's sample. Its first number, 333333333.33333329, is given as the double that it
     * stands for there; {@link OneDeviation} shows what becomes of it as text.
     */
    @Test
    void theSampleObjectToTheByte() {
      JsonObject sample =
          (JsonObject)
              Json.parse(
                  """
                  {
                    "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                    "literals": [null, true, false]
                  }
                  """);
      assertThat(JsonValue.of(Double.parseDouble("333333333.33333329")))
          .isEqualTo(JsonValue.of(333333333.3333333));
      assertThat(CanonicalJson.text(sample))
          .isEqualTo(
              "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                  + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
      assertThat(HexFormat.ofDelimiter(" ").formatHex(CanonicalJson.bytes(sample)))
          .isEqualTo(
              "7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 "
                  + "75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a "
                  + "5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 "
                  + "65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37 "
                  + "5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 "
                  + "30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d");
    }

    /** Section 3.2.3's sample: by UTF-16 code units, an emoji comes before U+FB33. */
    @Test
    void theSortingSample() {
      assertThat(
              canonical(
                  """
                  {
                    "\\u20ac": "Euro Sign",
                    "\\r": "Carriage Return",
                    "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                    "1": "One",
                    "\\ud83d\\ude00": "Emoji: Grinning Face",
                    "\\u0080": "Control",
                    "\\u00f6": "Latin Small Letter O With Diaeresis"
                  }
                  """))
          .isEqualTo(
              "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                  + "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
                  + "\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @Test
    void onlyWhatMustBeEscapedIs() {
      assertThat(canonical("\"\\b\\t\\n\\f\\r\\u000b\\u001F\\u007f\\u0080\\u2028\\/\\\"\\\\\""))
          .isEqualTo("\"\\b\\t\\n\\f\\r\\u000b\\u001f\u007f\u0080\u2028/\\\"\\\\\"");
    }

    /** Each text names its double, and one digit less would not. */
    @Test
    void randomDoublesHaveTheirShortestDigits() {
      SplittableRandom random = new SplittableRandom(8785);
      for (int i = 0; i < 3_000; i++) {
        double d = i < 500 ? Double.MIN_VALUE * i : RandomJson.anyDouble(random);
        String text = CanonicalJson.text(JsonValue.of(d));
        assertThat(Double.parseDouble(text)).isEqualTo(d + 0.0);
        int digits = new BigDecimal(text).stripTrailingZeros().precision();
        if (digits > 1) {
          String shorter = String.format(Locale.ROOT, "%." + (digits - 2) + "e", new BigDecimal(d));
          assertThat(Double.parseDouble(shorter)).as("%s and %s", shorter, text).isNotEqualTo(d);
        }
      }
    }
  }

  @Nested
  class OneDeviation {
    @ParameterizedTest
    @CsvSource({
      "9007199254740993, 9007199254740993",
      "9007199254740993.0, 9007199254740993",
      "-9007199254740993e0, -9007199254740993",
      "333333333.33333329, 333333333.33333329",
      "295147905179352825856, 295147905179352825856",
      "1234567890123456789012, 1.234567890123456789012e+21",
      "1.00000000000000000000000000000000000001, 1.00000000000000000000000000000000000001",
      "0.1000000000000000055511151231257827, 0.1000000000000000055511151231257827",
      "1e400, 1e+400",
      "-12.5e-400, -1.25e-399",
      "1e999999999, 1e+999999999",
      "1000e-999999999, 1e-999999996"
    })
    void digitsThatADoubleCanNotHoldAreKept(String number, String expected) {
      assertThat(canonical(number)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.0, 1",
    "1e0, 1",
    "10e-1, 1",
    "0.1E1, 1",
    "100, 100",
    "1E+2, 100",
    "-0, 0",
    "-0.0e5, 0",
    "0e999999999, 0",
    "0.10, 0.1",
    "1e21, 1e+21",
    "1e20, 100000000000000000000",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "123456e-9, 0.000123456",
    "1e00000000000000000000000000000002, 100"
  })
  void theSameNumberHasTheSameText(String number, String expected) {
    assertThat(canonical(number)).isEqualTo(expected);
  }

  @Test
  void differentNumbersHaveDifferentText() {
    SplittableRandom random = new SplittableRandom(7);
    Map<String, JsonValue> seen = new LinkedHashMap<>();
    for (int i = 0; i < 20_000; i++) {
      JsonNumber number =
          new JsonNumber(
              new BigDecimal(random.nextInt(-2000, 2000)).movePointLeft(random.nextInt(-25, 25)));
      JsonValue other = seen.putIfAbsent(CanonicalJson.text(number), number);
      assertThat(other == null || other.equals(number)).as("%s and %s", other, number).isTrue();
    }
  }

  @Test
  void orderBlanksAndSpellingDoNotCount() {
    for (long seed = 0; seed < 500; seed++) {
      JsonValue value = RandomJson.value(new SplittableRandom(seed), 5);
      byte[] expected = CanonicalJson.bytes(value);
      JsonValue shuffled = shuffled(value, new Random(seed));
      assertThat(CanonicalJson.bytes(shuffled)).as("seed %d", seed).isEqualTo(expected);
      assertThat(CanonicalJson.bytes(Json.parse(expected))).as("seed %d", seed).isEqualTo(expected);
      assertThat(new String(expected, StandardCharsets.UTF_8))
          .as("seed %d", seed)
          .isEqualTo(CanonicalJson.text(value));
    }
  }

  private static JsonValue shuffled(JsonValue value, Random random) {
    return switch (value) {
      case JsonObject o -> {
        List<String> names = new ArrayList<>(o.members().keySet());
        Collections.shuffle(names, random);
        Map<String, JsonValue> members = new LinkedHashMap<>();
        names.forEach(name -> members.put(name, shuffled(o.get(name).orElseThrow(), random)));
        yield new JsonObject(members);
      }
      case JsonArray a ->
          new JsonArray(a.items().stream().map(item -> shuffled(item, random)).toList());
      default -> value;
    };
  }
}
