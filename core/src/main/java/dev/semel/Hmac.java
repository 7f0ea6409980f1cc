package dev.semel;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs bytes with HMAC-SHA256, using a secret that the receiver shares. Never shows the secret.
 */
public final class Hmac {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec secret;

  /**
   * @param secret at least one byte; a copy is kept
   */
  public Hmac(byte[] secret) {
    if (secret.length == 0) {
      throw new InvalidInput("the secret is empty");
    }
    this.secret = new SecretKeySpec(secret, ALGORITHM);
  }

  /** The signature of the parts, concatenated. */
  public byte[] sign(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
