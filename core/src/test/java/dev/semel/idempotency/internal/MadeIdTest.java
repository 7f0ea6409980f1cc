package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MadeIdTest {
  private static final String LONGEST_NAME = "n".repeat(64);

  private static String id(String name) {
    String id = MadeId.of(name, "");
    assertThatCode(() -> Key.of(LONGEST_NAME, LONGEST_NAME, id)).doesNotThrowAnyException();
    assertThat(MadeId.possible(id)).isTrue();
    return id;
  }

  @Test
  void charactersThatAKeyRefusesAreHashed() {
    Map.of(
            "a\u001b[31mb", "a_[31mb~",
            "line\nbreak", "line_break~",
            "rtl\u202e", "rtl_~",
            "\0", "_~")
        .forEach((name, head) -> assertThat(id(name)).startsWith(head).hasSize(head.length() + 32));
  }

  @Test
  void whatDiffersOnlyInRefusedCharactersStaysDifferent() {
    assertThat(id("a\tb")).isNotEqualTo(id("a\nb"));
  }

  @Test
  void longNamesAreCutBetweenCharacters() {
    String full = "é".repeat(60);
    assertThat(id(full)).isEqualTo(full);
    assertThat(id(full + "x")).matches("é{43}~[0-9a-f]{32}");
    assertThat(id("😀".repeat(1_000_000))).matches("(😀){21}~[0-9a-f]{32}");
  }

  @Test
  void theSuffixStaysWhole() {
    assertThat(MadeId.of("short", "@7")).isEqualTo("short@7");
    assertThat(MadeId.of("x".repeat(118), "@7")).hasSize(120).endsWith("xx@7");
    assertThat(MadeId.of("x".repeat(119), "@7")).hasSize(120).matches("x{85}~[0-9a-f]{32}@7");
  }

  @Test
  void nobodyCanNameWhatAnotherWasShortenedTo() {
    for (String name : List.of("x".repeat(200), "a\n", "~")) {
      String shortened = id(name.repeat(130));
      assertThat(id(shortened)).isNotEqualTo(shortened);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\ud800", "a\ude00"})
  void nothingAndBrokenTextAreRefused(String name) {
    assertThatThrownBy(() -> MadeId.of(name, "@1")).isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\n", "\u202e", "\ud800"})
  void whatNoStrategyMakesIsNotPossible(String id) {
    assertThat(MadeId.possible(id)).isFalse();
    assertThat(MadeId.possible("é".repeat(60) + id)).isEqualTo(id.isEmpty());
    assertThat(MadeId.possible("é".repeat(60) + "x")).isFalse();
  }

  @Test
  void differentNamesHaveDifferentIdsThatEveryKeyTakes() {
    SplittableRandom random = new SplittableRandom(3);
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int n = random.nextInt(1, 160); n > 0; n--) {
        int c = random.nextInt(8) == 0 ? random.nextInt(0xD800) : random.nextInt('a', 'd');
        name.appendCodePoint(c);
      }
      String id = id(name.toString());
      assertThat(id.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(120);
      String other = names.putIfAbsent(id, name.toString());
      assertThat(other == null || other.contentEquals(name)).isTrue();
    }
  }
}
