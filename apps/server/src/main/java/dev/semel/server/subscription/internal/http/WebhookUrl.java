package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The address of a webhook. Subscribers make us send requests, so an address must not lead to what
 * only we can reach: our own machine, our network, the cloud's metadata. Each call resolves the
 * name anew, and goes to the very address that was checked.
 *
 * @param host without brackets, in lower case
 * @param target path and query
 */
record WebhookUrl(boolean tls, String host, int port, String target) {
  /** Longest address, in characters. */
  static final int MAX_LENGTH = 2048;

  /**
   * Parses an address from outside.
   *
   * @param loopback whether webhooks may go to this very machine, also without TLS; for development
   */
  static WebhookUrl parse(String text, boolean loopback) {
    if (text.length() > MAX_LENGTH) {
      throw refused("is longer than %d characters".formatted(MAX_LENGTH));
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw refused("is not an address");
    }
    String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
    String host = host(uri);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw refused("does not begin with https://");
    }
    if (host.isEmpty() || uri.getPort() == 0 || uri.getPort() > 0xFFFF) {
      throw refused("names no host that can be called");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw refused("carries a user or a fragment");
    }
    boolean tls = scheme.equals("https");
    int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
    WebhookUrl url = new WebhookUrl(tls, host, port, target(uri));
    url.check(loopback);
    return url;
  }

  private static String host(URI uri) {
    String host = Optional.ofNullable(uri.getHost()).orElse("").toLowerCase(Locale.ROOT);
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static String target(URI uri) {
    String path = Optional.ofNullable(uri.getRawPath()).filter(p -> !p.isEmpty()).orElse("/");
    return uri.getRawQuery() == null ? path : path + '?' + uri.getRawQuery();
  }

  /** Checks what needs no DNS. */
  private void check(boolean loopback) {
    Optional<InetAddress> literal = literal();
    boolean local =
        host.equals("localhost") || literal.filter(InetAddress::isLoopbackAddress).isPresent();
    if (local && loopback) {
      return;
    }
    if (!tls) {
      throw refused("is not safe: use https");
    }
    if (local || literal.filter(a -> !PublicAddresses.open(a)).isPresent()) {
      throw refused("leads into a private network: use a public address");
    }
  }

  /** The address itself, if the host is one and not a name. */
  private Optional<InetAddress> literal() {
    boolean six = host.indexOf(':') >= 0;
    if (!six && !host.chars().allMatch(c -> c == '.' || digit(c))) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(host); // uses no DNS: it is no name
      if (six || address.getHostAddress().equals(host)) {
        return Optional.of(address);
      }
    } catch (UnknownHostException e) {
      // Falls through: some numbers are no address.
    }
    throw refused("names no host that can be called");
  }

  private static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Chooses an address of the name. If one of them must not be called, none is, because such an
   * answer looks like an attack.
   */
  InetAddress choose(List<InetAddress> resolved, boolean loopback) {
    for (InetAddress address : resolved) {
      boolean local = loopback && address.isLoopbackAddress();
      if (!local && (!tls || !PublicAddresses.open(address))) {
        throw refused("leads into a private network: use a public address");
      }
    }
    if (resolved.isEmpty()) {
      throw refused("names no host that can be called");
    }
    return resolved.getFirst();
  }

  /** The message leaves the address out, because it may carry a secret. */
  private static InvalidInput refused(String why) {
    return new InvalidInput("webhook.url " + PrintableText.safe(why));
  }

  @Override
  public String toString() {
    return host + ':' + port;
  }
}
