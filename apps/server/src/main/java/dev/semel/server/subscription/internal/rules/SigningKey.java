package dev.semel.server.subscription.internal.rules;

import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.internal.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * An Ed25519 key that signs webhooks. Its id is made from the key itself, so that no two keys share
 * one.
 *
 * @param x the public half, in base64url
 * @param pkcs8 the private half, in base64
 * @param at since when it signs, in epoch milliseconds
 */
public record SigningKey(String kid, String x, String pkcs8, long at) {
  private static final String ALGORITHM = "Ed25519";
  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  /** Length of a public key, which stands at the end of its encoded form. */
  private static final int PUBLIC_BYTES = 32;

  public static SigningKey draw(long now) {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      byte[] encoded = pair.getPublic().getEncoded();
      String x =
          URL.encodeToString(
              Arrays.copyOfRange(encoded, encoded.length - PUBLIC_BYTES, encoded.length));
      byte[] secret = pair.getPrivate().getEncoded();
      return new SigningKey(kid(x), x, Base64.getEncoder().encodeToString(secret), now);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  /** The key's thumbprint by RFC 7638. */
  static String kid(String x) {
    JsonObject key = Json.object().with("crv", ALGORITHM).with("kty", "OKP").with("x", x).build();
    return "ds_" + URL.encodeToString(Ids.sha256(CanonicalJson.bytes(key)));
  }

  /** The public key for receivers. */
  JsonObject jwk() {
    return Json.object()
        .with("kty", "OKP")
        .with("crv", ALGORITHM)
        .with("kid", kid)
        .with("use", "sig")
        .with("alg", "EdDSA")
        .with("x", x)
        .build();
  }

  /**
   * The signature's header for a body.
   *
   * @param seconds since the epoch; signed too, so that receivers can refuse old requests
   */
  public String header(byte[] body, long seconds) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      byte[] secret = Base64.getDecoder().decode(pkcs8);
      signature.initSign(
          KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(secret)));
      signature.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
      signature.update(body);
      return "t=%d,kid=%s,ed25519=%s".formatted(seconds, kid, URL.encodeToString(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the signing key %s is not usable".formatted(kid), e);
    }
  }

  @Override
  public String toString() {
    return kid;
  }
}
