package dev.semel.server.subscription.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

final class WakeTokensTest {
  private static final WakePass PASS = new WakePass("größe", "w_1", 7);

  private final String secret = WakeTokens.drawSecret();
  private final WakeTokens tokens = new WakeTokens(secret);

  @Test
  void aTokenSaysWhatItIsGoodForAlsoAfterARestart() {
    String token = tokens.sign(PASS);
    assertThat(tokens.read(token)).contains(PASS);
    assertThat(new WakeTokens(secret).read(token)).contains(PASS);
    assertThat(token).matches("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
  }

  @Test
  void anotherServersTokenIsNone() {
    assertThat(new WakeTokens(WakeTokens.drawSecret()).read(tokens.sign(PASS))).isEmpty();
  }

  @Test
  void noCharacterOfATokenCanBeChanged() {
    String token = tokens.sign(PASS);
    // The last character has bits that no byte uses, so it is left out.
    for (int i = 0; i < token.length() - 1; i++) {
      String forged =
          token.substring(0, i) + (token.charAt(i) == 'A' ? 'B' : 'A') + token.substring(i + 1);
      assertThat(tokens.read(forged)).as(forged).isEmpty();
    }
  }

  @Test
  void whatIsNotSignedIsNotRead() {
    String payload =
        Base64.getUrlEncoder()
            .encodeToString(
                "{\"sub\":\"a\",\"wake\":\"w\",\"gen\":1}".getBytes(StandardCharsets.UTF_8));
    for (String token :
        new String[] {
          "", ".", "a", "a.b", payload, payload + ".", payload + ".AAAA", "a.b.c", "!.!"
        }) {
      assertThat(tokens.read(token)).as(token).isEmpty();
    }
    assertThat(tokens.read("a.".repeat(WakeTokens.MAX_LENGTH))).isEmpty();
  }

  @Test
  void aSecretIsNotShownByAccident() {
    assertThat(new SubscriptionChange.Secret(secret).toString()).doesNotContain(secret);
    SigningKey key = SigningKey.draw(1);
    assertThat(new SubscriptionChange.Key(key).toString()).doesNotContain(key.pkcs8());
  }
}
