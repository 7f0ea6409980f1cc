package dev.semel.json.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonScannerTest {
  private static final long SEED = 20261116;
  private static final int DOCUMENTS = 4_000;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<JsonValue> parsed(byte[] utf8) {
    try {
      return Optional.of(Json.parse(utf8));
    } catch (InvalidInput e) {
      return Optional.empty();
    }
  }

  private static Optional<List<JsonValue>> scanned(byte[] utf8) {
    int[] ranges;
    try {
      ranges = JsonScanner.elements(utf8);
    } catch (InvalidInput e) {
      return Optional.empty();
    }
    List<JsonValue> elements = new ArrayList<>();
    JsonScanner.Flat flat = JsonScanner.flat(utf8);
    assertThat(flat.ends()).hasSize(ranges.length / 2);
    int at = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      byte[] element = Arrays.copyOfRange(utf8, ranges[i], ranges[i + 1]);
      elements.add(Json.parse(element));
      int end = flat.ends()[i / 2];
      assertThat(Arrays.copyOfRange(flat.bytes(), at, end - 1)).isEqualTo(element);
      assertThat(flat.bytes()[end - 1]).isEqualTo((byte) ',');
      at = end;
    }
    assertThat(flat.bytes()).hasSize(at);
    return Optional.of(elements);
  }

  private static List<JsonValue> elements(JsonValue value) {
    return value instanceof JsonArray a ? a.items() : List.of(value);
  }

  /** Documents are damaged in one place at random, so that most are just beside being valid. */
  @Test
  void itFindsWhatTheReaderFindsAndRefusesWhatTheReaderRefuses() {
    SplittableRandom random = new SplittableRandom(SEED);
    String places = "[]{},:\"\\u0-eE. \ntx\u00fc";
    int valid = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      byte[] document = bytes(document(random, 0));
      if (random.nextBoolean()) {
        int at = random.nextInt(document.length);
        document[at] = (byte) places.charAt(random.nextInt(places.length()));
      }
      Optional<JsonValue> expected = parsed(document);
      assertThat(scanned(document))
          .as("seed %d, document %d: %s", SEED, i, new String(document, StandardCharsets.UTF_8))
          .isEqualTo(expected.map(JsonScannerTest::elements));
      valid += expected.isPresent() ? 1 : 0;
    }
    assertThat(valid).isBetween(DOCUMENTS / 3, DOCUMENTS * 9 / 10);
  }

  private static String document(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 3 ? 4 : 7)) {
      case 0 -> Long.toString(random.nextInt(-1000, 1000));
      case 1 -> "-0.5e+7";
      case 2 -> "\"a\\n\\u00e9\\ud83d\\ude00\u00fc\u20ac\uD83D\uDE00\"";
      case 3 -> random.nextBoolean() ? "true" : "null";
      case 4 -> "{\"k\": " + document(random, depth + 1) + ",\"l\":[]}";
      default -> {
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(document(random, depth + 1));
        }
        yield "[" + String.join(" ,", items) + "]";
      }
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "[1",
        "{\"a\"",
        "\"a",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "01",
        "1.",
        "-",
        "\uFEFF1",
        "\"\t\"",
        "tru",
        "\u00a01",
        "\"\\x\"",
        "\"\\"
      })
  void whatIsNoJsonIsRefused(String text) {
    assertThatThrownBy(() -> JsonScanner.elements(bytes(text)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("not valid JSON at byte offset");
    assertThatThrownBy(() -> JsonScanner.flat(bytes(text)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("not valid JSON at byte offset");
    assertThat(parsed(bytes(text))).isEmpty();
  }

  @Test
  void bytesThatAreNoUtf8AreRefusedAsTheDecoderDoes() {
    for (int lead = 0x80; lead <= 0xFF; lead++) {
      for (int second = 0x7F; second <= 0xC0; second++) {
        for (int length = 2; length <= 4; length++) {
          byte[] text = new byte[length + 2];
          Arrays.fill(text, (byte) 0x80);
          text[0] = '"';
          text[1] = (byte) lead;
          text[2] = (byte) second;
          text[length + 1] = '"';
          assertThat(scanned(text).isPresent())
              .as(Arrays.toString(text))
              .isEqualTo(parsed(text).isPresent());
        }
      }
    }
  }

  @Test
  void depthHasTheReadersLimit() {
    for (int depth : new int[] {Json.MAX_DEPTH, Json.MAX_DEPTH + 1, Json.MAX_DEPTH + 2, 100_000}) {
      byte[] nested = bytes("[".repeat(depth) + "]".repeat(depth));
      assertThat(scanned(nested).isPresent()).isEqualTo(parsed(nested).isPresent());
    }
  }

  @Test
  void namesAndNumbersAreLeftToWhoeverTakesThemOut() {
    assertThat(JsonScanner.elements(bytes("{\"a\":1,\"a\":2}"))).containsExactly(0, 13);
    assertThat(JsonScanner.elements(bytes("1e9999999999"))).containsExactly(0, 12);
  }
}
