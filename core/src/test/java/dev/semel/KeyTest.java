package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {
  private static final Operation RUN = new Operation("run");

  @Test
  void theTextFormNamesTenantOperationAndId() {
    assertThat(Key.of("payment", "order-123").text()).isEqualTo("default/payment:order-123");
    assertThat(Key.of("acme", "payment", "a:b/c").text()).isEqualTo("acme/payment:a:b/c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"acme/payment:order-123", "acme/payment:a:b/c", "a/b::", "a/b:c/d:e", "a/b:ü{}%*"})
  void theTextFormIsReadBack(String text) {
    assertThat(Key.parse(text).text()).isEqualTo(text);
  }

  @Test
  void theTenantMayBeLeftOut() {
    assertThat(Key.parse("payment:a/b")).isEqualTo(Key.of("default", "payment", "a/b"));
  }

  @Test
  void anIdAloneNeedsAnOperation() {
    assertThat(Key.parse("nightly report", RUN)).isEqualTo(Key.of("run", "nightly report"));
    assertThat(Key.parse("job:nightly", RUN)).isEqualTo(Key.of("job", "nightly"));
    assertThatThrownBy(() -> Key.parse("nightly"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("operation:id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\u0000b",
        "a\nb",
        "\u001b[31mred",
        "\u009b31m",
        "a\u202eb",
        "a\u2028b",
        "\ud800",
        "a\u007f"
      })
  void whatCouldReachATerminalAsAnEscapeIsRefusedAndNotEchoedRaw(String id) {
    assertThatThrownBy(() -> Key.of("payment", id))
        .isInstanceOf(InvalidInput.class)
        .message()
        .satisfies(message -> assertThat(PrintableText.isSafe(message)).isTrue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "a:b", "ä", "a\n"})
  void namesAreFromASmallAlphabet(String name) {
    assertThatThrownBy(() -> new Operation(name)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new Tenant(name)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void namesAndKeysHaveALimit() {
    assertThat(new Operation("x".repeat(64)).name()).hasSize(64);
    assertThatThrownBy(() -> new Operation("x".repeat(65))).isInstanceOf(InvalidInput.class);
    int room = Key.MAX_BYTES - "default/payment:".length();
    assertThat(Key.of("payment", "x".repeat(room)).text()).hasSize(Key.MAX_BYTES);
    assertThatThrownBy(() -> Key.of("payment", "x".repeat(room + 1)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("257")
        .hasMessageContaining("256");
    assertThatThrownBy(() -> Key.of("payment", "")).isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "üñî", "漢字", "\ud83d\ude00 smile", ""})
  void theLimitCountsBytesAsUtf8Does(String text) {
    assertThat(PrintableText.utf8Length(text))
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void theEffectKeyIsStableAndOpaque() {
    assertThat(Key.of("payment", "order-123").effectKey())
        .isEqualTo(Key.parse("default/payment:order-123").effectKey())
        .matches("semel-[0-9a-f]{32}")
        .isNotEqualTo(Key.of("refund", "order-123").effectKey());
  }

  @Test
  void tokensAreUniqueReadBackAndNotShownWhole() {
    long before = System.currentTimeMillis();
    Token token = Token.draw();
    long after = System.currentTimeMillis();
    assertThat(Token.draw()).isNotEqualTo(token);
    assertThat(Token.parse(token.text())).isEqualTo(token);
    assertThat(token.toString()).doesNotContain(token.text());
    assertThat(token.value().version()).isEqualTo(7);
    assertThat(token.drawnAtMillis()).isBetween(before, after);
    assertThatThrownBy(() -> Token.parse("not a token")).isInstanceOf(InvalidInput.class);
  }

  @Test
  void namedIdsAreTheSameEverywhere() {
    assertThat(Ids.named("order-123@7"))
        .isEqualTo(Ids.named("order-123@7"))
        .isNotEqualTo(Ids.named("order-123@8"));
    assertThat(Ids.named("x").version()).isEqualTo(8);
    assertThat(Ids.named("x").variant()).isEqualTo(2);
  }
}
