package dev.semel.example.webhook;

import dev.semel.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code Webhook-Signature} proves: who holds the secret sent this body, and just now. */
final class Signature {
  private static final Pattern FORM = Pattern.compile("t=(\\d{1,12}),hmac-sha256=([0-9a-f]{64})");

  /** Whoever recorded a call must not be able to play it again tomorrow. */
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
