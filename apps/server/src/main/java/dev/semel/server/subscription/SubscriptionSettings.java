package dev.semel.server.subscription;

import dev.semel.InvalidInput;
import java.util.Optional;

/**
 * Settings of subscriptions, which you pass to {@link
 * dev.semel.server.ServerSettings#withSubscriptions}.
 *
 * @param root prefix of stream paths in addresses, with slashes at both ends
 * @param publicUrl how receivers reach this server, such as {@code https://streams.example}; empty:
 *     as the subscription's creator did
 * @param loopbackWebhooks whether webhooks may go to this very machine, also without TLS. For
 *     development: allow it only where the server itself listens on loopback alone
 */
public record SubscriptionSettings(
    String root, Optional<String> publicUrl, boolean loopbackWebhooks, SubscriptionLimits limits) {
  public SubscriptionSettings {
    if (!root.startsWith("/") || !root.endsWith("/")) {
      throw new InvalidInput("the root of streams has a slash at both ends: /v1/stream/");
    }
    if (publicUrl.filter(u -> !u.matches("https?://[^/?#]+")).isPresent()) {
      throw new InvalidInput(
          "the public address is a scheme and a host, such as https://streams.example");
    }
  }

  public static SubscriptionSettings defaults() {
    return new SubscriptionSettings(
        "/v1/stream/", Optional.empty(), false, SubscriptionLimits.defaults());
  }

  public SubscriptionSettings withRoot(String other) {
    return new SubscriptionSettings(other, publicUrl, loopbackWebhooks, limits);
  }

  public SubscriptionSettings withPublicUrl(String url) {
    return new SubscriptionSettings(root, Optional.of(url), loopbackWebhooks, limits);
  }

  public SubscriptionSettings withLoopbackWebhooks(boolean allowed) {
    return new SubscriptionSettings(root, publicUrl, allowed, limits);
  }

  public SubscriptionSettings withLimits(SubscriptionLimits other) {
    return new SubscriptionSettings(root, publicUrl, loopbackWebhooks, other);
  }
}
