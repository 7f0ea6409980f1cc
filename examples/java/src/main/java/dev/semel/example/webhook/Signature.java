package dev.semel.example.webhook;

import dev.semel.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Verifies {@code Webhook-Signature}: a holder of the secret sent this body recently. */
final class Signature {
  private static final Pattern FORM = Pattern.compile("t=(\\d{1,12}),hmac-sha256=([0-9a-f]{64})");

  /** The largest age, so that nobody can replay a recorded request tomorrow. */
  private static final Duration OLDEST = Duration.ofMinutes(5);

  private final Hmac secret;

  Signature(String secret) {
    this.secret = new Hmac(secret.getBytes(StandardCharsets.UTF_8));
  }

  boolean proves(String header, byte[] body, Instant now) {
    Matcher form = FORM.matcher(header);
    if (!form.matches()) {
      return false;
    }
    Instant signed = Instant.ofEpochSecond(Long.parseLong(form.group(1)));
    byte[] time = (form.group(1) + ".").getBytes(StandardCharsets.UTF_8);
    return Duration.between(signed, now).abs().compareTo(OLDEST) <= 0
        && MessageDigest.isEqual(secret.sign(time, body), HexFormat.of().parseHex(form.group(2)));
  }
}
