package dev.semel.webhook;

import dev.semel.Hmac;
import dev.semel.InvalidInput;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * The address of a webhook, and the secret that signs its messages. The operator chose the address,
 * so it may lead anywhere that this machine can reach. It is never shown as a whole, because many
 * addresses carry a secret in their path.
 */
public final class Webhook {
  /** Longest address, in characters. */
  public static final int MAX_LENGTH = 2048;

  /** Shortest secret, in bytes: a shorter one can be guessed. */
  public static final int MIN_SECRET_BYTES = 16;

  private final URI url;
  private final Optional<Hmac> secret;

  private Webhook(URI url, Optional<Hmac> secret) {
    this.url = url;
    this.secret = secret;
  }

  /** A webhook without a signature. The messages of its exceptions never hold the address. */
  public static Webhook to(String url) {
    if (url.length() > MAX_LENGTH) {
      throw refused("is longer than %d characters".formatted(MAX_LENGTH));
    }
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw refused("is no address");
    }
    String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw refused("must begin with https:// or http://");
    }
    if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 0xFFFF) {
      throw refused("names no host that can be called");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw refused("carries a user or a fragment: leave that out");
    }
    return new Webhook(uri, Optional.empty());
  }

  private static InvalidInput refused(String why) {
    return new InvalidInput("the webhook's URL " + why);
  }

  /**
   * Adds a secret. Leading and trailing blanks and line ends are not part of it: files end with
   * one.
   */
  public Webhook signedWith(String text) {
    byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_SECRET_BYTES) {
      throw new InvalidInput(
          "the webhook's secret is too short: use at least %d bytes, such as those of openssl rand -hex 32"
              .formatted(MIN_SECRET_BYTES));
    }
    return new Webhook(url, Optional.of(new Hmac(bytes)));
  }

  URI url() {
    return url;
  }

  /**
   * The value of the signature header for a body: {@code t=…,hmac-sha256=…}. The signature covers
   * the time, a point, and the body, so that receivers can refuse old messages. Empty: unsigned.
   */
  Optional<String> signature(long seconds, byte[] body) {
    return secret.map(
        key ->
            "t="
                + seconds
                + ",hmac-sha256="
                + HexFormat.of()
                    .formatHex(
                        key.sign((seconds + ".").getBytes(StandardCharsets.US_ASCII), body)));
  }

  /** Scheme, host and port. */
  @Override
  public String toString() {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }
}
