package dev.semel.server.gateway;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The service behind a gateway, which you pass to {@link GatewaySettings#to}: its address, and the
 * certificates to trust.
 *
 * @param host a name or an address; an IPv6 address has no brackets
 * @param authorities trusted certificates in PEM; empty: those that this machine's Java trusts. In
 *     either case the service's certificate must name the host
 */
public record Upstream(boolean tls, String host, int port, Optional<String> authorities) {
  private static final String HTTPS = "https";
  private static final String PEM = "-----BEGIN CERTIFICATE-----";

  /** Parses an address such as {@code http://localhost:3000}. */
  public static Upstream parse(String url) {
    if (url.indexOf('@') >= 0) { // first, because later messages repeat the address
      throw new InvalidInput(
          "the upstream's address holds a user or password: callers send their own, so leave it out");
    }
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw refused(url, "is no address");
    }
    String scheme = lower(uri.getScheme());
    String host = uri.getHost();
    if (!scheme.equals("http") && !scheme.equals(HTTPS)) {
      throw refused(url, "does not begin with http:// or https://");
    }
    if (host == null || uri.getPort() == 0 || uri.getPort() > 65_535) {
      throw refused(url, "names no host and port that could be called");
    }
    String path = uri.getRawPath();
    if ((path != null && !path.isEmpty() && !path.equals("/"))
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw refused(url, "has a path: paths are passed on as they come, so leave it out");
    }
    boolean tls = scheme.equals(HTTPS);
    int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
    return new Upstream(
        tls,
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        port,
        Optional.empty());
  }

  /** Trusts only certificates of these authorities, or exactly these certificates. */
  public Upstream trusting(String pem) {
    if (!tls) {
      throw new InvalidInput(
          "the upstream %s has no certificate: write it with https://".formatted(this));
    }
    try {
      boolean some =
          pem.contains(PEM)
              && !CertificateFactory.getInstance("X.509")
                  .generateCertificates(
                      new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)))
                  .isEmpty();
      if (some) {
        return new Upstream(tls, host, port, Optional.of(pem));
      }
    } catch (CertificateException e) {
      // refused below
    }
    throw new InvalidInput("there is no certificate in PEM that the upstream's could come from");
  }

  private static InvalidInput refused(String url, String why) {
    return new InvalidInput(
        "the upstream %s %s: write it like http://localhost:3000"
            .formatted(PrintableText.quoted(url), why));
  }

  private static String lower(@Nullable String text) {
    return text == null ? "" : text.toLowerCase(Locale.ROOT);
  }

  /** Host and port, as in a Host header. */
  String authority() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return port == (tls ? 443 : 80) ? name : name + ":" + port;
  }

  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority();
  }
}
