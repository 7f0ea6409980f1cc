package dev.semel.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("the locale")
class WebhookTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hooks.example/s3cret",
        "ftp://hooks.example/s3cret",
        "https:///s3cret",
        "https://ann:s3cret@hooks.example/",
        "https://hooks.example/#s3cret",
        "https://hooks.example:0/s3cret",
        "https://hooks.example/s3cret with blanks"
      })
  void addressesThatMakeNoSenseAreRefusedAndNotShown(String url) {
    assertThatThrownBy(() -> Webhook.to(url))
        .isInstanceOf(InvalidInput.class)
        .satisfies(e -> assertThat(e.toString()).doesNotContain("s3cret"));
  }

  @Test
  void neitherPathNorSecretIsShown() {
    Webhook webhook =
        Webhook.to("https://hooks.example:8443/T0/s3cret?k=s3cret")
            .signedWith("s3cret-s3cret-s3cret");
    assertThat(webhook).hasToString("https://hooks.example:8443");
    assertThatThrownBy(() -> webhook.signedWith("s3cret"))
        .isInstanceOf(InvalidInput.class)
        .satisfies(e -> assertThat(e.toString()).doesNotContain("s3cret"));
  }

  @Test
  void theSignatureIsInDigitsThatAHeaderCanHoldInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertSignature();
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void theSignatureIsThatOfTimeAndBody() {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    assertThat(Webhook.to("https://a.example/").signature(7, body)).isEmpty();
    assertSignature();
  }

  private static void assertSignature() {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    // printf '7.{}' | openssl dgst -sha256 -hmac 0123456789abcdef
    assertThat(Webhook.to("https://a.example/").signedWith("0123456789abcdef\n").signature(7, body))
        .contains(
            "t=7,hmac-sha256=3cd0ad802237a2c96b7ee3b06705b7350cc8cf0ba4123033d13eda91ad9c4ec2");
  }
}
