package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import java.util.Optional;

/**
 * How subscriptions are served.
 *
 * @param root what stands before stream paths in addresses, with slashes at both ends
 * @param publicUrl how receivers reach this server, such as {@code https://streams.example}; empty:
 *     as whoever created the subscription did
 * @param loopbackWebhooks whether webhooks may go to this very machine, also without TLS. For
 *     development: let it be so only where the server itself listens on loopback alone
 */
public record Settings(
    String root, Optional<String> publicUrl, boolean loopbackWebhooks, SubscriptionLimits limits) {
  public Settings {
    if (!root.startsWith("/") || !root.endsWith("/")) {
      throw new InvalidInput("the root of streams has a slash at both ends: /v1/stream/");
    }
    if (publicUrl.filter(u -> !u.matches("https?://[^/?#]+")).isPresent()) {
      throw new InvalidInput(
          "the public address is a scheme and a host, such as https://streams.example");
    }
  }

  public static Settings defaults() {
    return new Settings("/v1/stream/", Optional.empty(), false, SubscriptionLimits.defaults());
  }

  public Settings withRoot(String other) {
    return new Settings(other, publicUrl, loopbackWebhooks, limits);
  }

  public Settings withPublicUrl(String url) {
    return new Settings(root, Optional.of(url), loopbackWebhooks, limits);
  }

  public Settings withLoopbackWebhooks(boolean allowed) {
    return new Settings(root, publicUrl, allowed, limits);
  }

  public Settings withLimits(SubscriptionLimits other) {
    return new Settings(root, publicUrl, loopbackWebhooks, other);
  }
}
