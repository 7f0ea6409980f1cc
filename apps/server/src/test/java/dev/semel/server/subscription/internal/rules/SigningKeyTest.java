package dev.semel.server.subscription.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

public final class SigningKeyTest {
  private static final Pattern HEADER =
      Pattern.compile("t=(\\d+),kid=(ds_[A-Za-z0-9_-]+),ed25519=([A-Za-z0-9_-]+)");

  /** Verifies like a receiver that knows only the key's public part. */
  public static boolean verifies(String x, String header, byte[] body) {
    try {
      Matcher parts = HEADER.matcher(header);
      assertThat(parts.matches()).as(header).isTrue();
      byte[] prefix = HexFormat.of().parseHex("302a300506032b6570032100");
      byte[] raw = Base64.getUrlDecoder().decode(x);
      byte[] encoded = new byte[prefix.length + raw.length];
      System.arraycopy(prefix, 0, encoded, 0, prefix.length);
      System.arraycopy(raw, 0, encoded, prefix.length, raw.length);
      PublicKey key =
          KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update((parts.group(1) + ".").getBytes(StandardCharsets.US_ASCII));
      signature.update(body);
      return signature.verify(Base64.getUrlDecoder().decode(parts.group(3)));
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private final SigningKey key = SigningKey.draw(5);
  private final byte[] body = "{\"a\":\"ü\"}".getBytes(StandardCharsets.UTF_8);

  @Test
  void aReceiverCanCheckTheSignature() {
    String header = key.header(body, 1_700_000_000);
    assertThat(header).startsWith("t=1700000000,kid=" + key.kid() + ",");
    assertThat(verifies(key.x(), header, body)).isTrue();
    assertThat(verifies(key.x(), header, "{}".getBytes(StandardCharsets.UTF_8))).isFalse();
    assertThat(verifies(key.x(), header.replace("t=17", "t=18"), body)).isFalse();
    assertThat(verifies(SigningKey.draw(5).x(), header, body)).isFalse();
  }

  @Test
  void theIdIsTheKeysThumbprint() {
    // The example key of RFC 8037, whose thumbprint is in its appendix A.3.
    assertThat(key.kid()).startsWith("ds_").hasSize(3 + 43);
    assertThat(SigningKey.draw(5).kid()).isNotEqualTo(key.kid());
    assertThat(SigningKey.kid("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        .isEqualTo("ds_kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  }

  @Test
  void theJwkShowsOnlyThePublicHalf() {
    assertThat(Json.write(key.jwk()))
        .isEqualTo(
            "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"%s\",\"use\":\"sig\",\"alg\":\"EdDSA\",\"x\":\"%s\"}"
                .formatted(key.kid(), key.x()));
  }

  @Test
  void aReplacedKeyIsShownThroughTheReplayWindow() {
    long hour = KeyRing.REPLAY_WINDOW.toMillis();
    SigningKey next = SigningKey.draw(1000);
    KeyRing ring = KeyRing.EMPTY.with(key).with(next);
    assertThat(ring.active()).isEqualTo(next);
    assertThat(ring.published(1000 + hour - 1)).isEqualTo(List.of(key, next));
    assertThat(ring.published(1000 + hour)).isEqualTo(List.of(next));
    SigningKey third = SigningKey.draw(2000 + hour);
    assertThat(ring.with(third).keys()).isEqualTo(List.of(next, third));
  }
}
