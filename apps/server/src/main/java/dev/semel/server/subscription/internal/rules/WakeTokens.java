package dev.semel.server.subscription.internal.rules;

import dev.semel.Hmac;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * Signed tokens that say which wake their bearer holds. They carry no time: a token ends with its
 * wake, however long that is renewed.
 */
public final class WakeTokens {
  /** Limit of a token's length, in characters. */
  static final int MAX_LENGTH = 4096;

  private static final int SECRET_BYTES = 32;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final Hmac secret;

  public WakeTokens(String base64) {
    this.secret = new Hmac(Base64.getDecoder().decode(base64));
  }

  public static String drawSecret() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return Base64.getEncoder().encodeToString(secret);
  }

  String sign(WakePass pass) {
    String text =
        Json.object()
            .with("sub", pass.subscription())
            .with("wake", pass.wake())
            .with("gen", pass.generation())
            .write();
    String payload = ENCODER.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    return payload + '.' + ENCODER.encodeToString(mac(payload));
  }

  /** Checks the signature before it reads anything else; empty: it was not signed here. */
  public Optional<WakePass> read(String token) {
    int dot = token.indexOf('.');
    if (dot < 0 || token.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    String payload = token.substring(0, dot);
    try {
      byte[] mac = Base64.getUrlDecoder().decode(token.substring(dot + 1));
      if (!MessageDigest.isEqual(mac, mac(payload))) {
        return Optional.empty();
      }
      if (Json.parse(Base64.getUrlDecoder().decode(payload)) instanceof JsonObject o) {
        JsonFields fields = new JsonFields(o);
        return Optional.of(
            new WakePass(fields.text("sub"), fields.text("wake"), fields.number("gen")));
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not base64, or not our content
    }
  }

  private byte[] mac(String payload) {
    return secret.sign(payload.getBytes(StandardCharsets.UTF_8));
  }
}
