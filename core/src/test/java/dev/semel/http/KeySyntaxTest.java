package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySyntaxTest {
  @Test
  void bareAndQuotedAreOneKey() {
    assertThat(KeySyntax.LENIENT.parse("8e03978e")).isEqualTo("8e03978e");
    assertThat(KeySyntax.LENIENT.parse("\"8e03978e\"")).isEqualTo("8e03978e");
    assertThat(KeySyntax.LENIENT.parse("  8e03978e  ")).isEqualTo("8e03978e");
    assertThat(KeySyntax.STRICT.parse(" \"8e03978e\" ")).isEqualTo("8e03978e");
  }

  @ParameterizedTest
  @EnumSource(KeySyntax.class)
  void stringsAreReadAsTheStandardSays(KeySyntax syntax) {
    assertThat(syntax.parse("\"a, b; c=d\"")).isEqualTo("a, b; c=d");
    assertThat(syntax.parse("\"say \\\"hi\\\"\"")).isEqualTo("say \"hi\"");
    assertThat(syntax.parse("\"a\\\\b\"")).isEqualTo("a\\b");
    assertThat(syntax.parse("\" a \"")).isEqualTo(" a ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"",
        "\"a",
        "\"a\\\"",
        "\"a\"b",
        "\"a\";p=1",
        "\"a\", \"b\"",
        "\"a\\n\"",
        "\"\\",
        "\"\"",
        "",
        "   ",
        "\"a\tb\"",
        "\"é\"",
        "\"a\u0000b\"",
        "\"a\u007fb\""
      })
  void whatIsNoStringIsRefusedByBoth(String header) {
    for (KeySyntax syntax : KeySyntax.values()) {
      assertThatThrownBy(() -> syntax.parse(header)).isInstanceOf(InvalidInput.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a\tb", "a\r\nSet-Cookie: x", "ключ", "a\u007f"})
  void bareKeysArePrintableAndSingle(String header) {
    assertThatThrownBy(() -> KeySyntax.LENIENT.parse(header)).isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "?1", "42", ":YWJj:", "'a'"})
  void strictMeansQuoted(String header) {
    assertThatThrownBy(() -> KeySyntax.STRICT.parse(header))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("quotation marks");
  }

  /** A message may end up in a log or on a terminal. */
  @Test
  void messagesNeverRepeatControlCharacters() {
    assertThatThrownBy(() -> KeySyntax.LENIENT.parse("a\u001b[2Jb"))
        .message()
        .matches(m -> m.chars().noneMatch(c -> c < ' '));
  }

  @Test
  void theLimitCountsTheKeyAndNotItsQuotationMarks() {
    String longest = "k".repeat(KeySyntax.MAX_LENGTH);
    assertThat(KeySyntax.LENIENT.parse(longest)).isEqualTo(longest);
    assertThat(KeySyntax.STRICT.parse('"' + longest + '"')).isEqualTo(longest);
    for (String header : new String[] {longest + "k", '"' + longest + "k\""}) {
      assertThatThrownBy(() -> KeySyntax.LENIENT.parse(header))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("256 characters");
    }
  }

  /** What a server echoes can be sent again, and is the same key. */
  @Test
  void whatIsWrittenIsReadAsTheSameKey() {
    for (long seed = 1; seed <= 20_000; seed++) {
      String key = randomKey(new SplittableRandom(seed));
      for (KeySyntax syntax : KeySyntax.values()) {
        assertThat(syntax.parse(syntax.write(key))).as("seed %d, %s", seed, syntax).isEqualTo(key);
      }
      assertThat(KeySyntax.LENIENT.parse(KeySyntax.STRICT.write(key))).isEqualTo(key);
    }
  }

  @Test
  void aLenientServerEchoesPlainKeysBare() {
    assertThat(KeySyntax.LENIENT.write("8e03978e-40d5")).isEqualTo("8e03978e-40d5");
    assertThat(KeySyntax.STRICT.write("8e03978e-40d5")).isEqualTo("\"8e03978e-40d5\"");
  }

  private static String randomKey(SplittableRandom random) {
    String awkward = "\"\\, ;ab";
    int length = 1 + random.nextInt(8);
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < length; i++) {
      key.append(
          random.nextBoolean()
              ? awkward.charAt(random.nextInt(awkward.length()))
              : (char) random.nextInt(' ', '~' + 1));
    }
    return key.toString();
  }
}
