package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that all our servers make before they route: at the limit of connections only health
 * checks pass, and requests for other servers are refused. For one event loop.
 */
public final class ConnectionAdmission {
  private static final ProblemDocument FULL =
      ProblemDocument.of(
          503,
          "too-many-connections",
          "the limit of connections is reached: try again in a moment, or another server");

  private static final ProblemDocument TWO_HOSTS =
      ProblemDocument.malformed("the address and the Host header name two hosts: send one");

  private static final ProblemDocument MISDIRECTED =
      ProblemDocument.of(
          421,
          "misdirected",
          "the address names another server, and this one is no proxy to it: send the path alone");

  private static final String AUTHORITY = "://";

  private final ServerConnections connections;
  private final BodyRates rates;
  private final Set<String> names;
  private final Set<String> healthPaths;

  /**
   * @param names host names of the server, beside those of loopback and the address that was
   *     connected to
   * @param healthPaths answered even at the limit of connections
   */
  public ConnectionAdmission(
      Vertx vertx, ServerConnections connections, Stream<String> names, Set<String> healthPaths) {
    this.connections = connections;
    this.rates = new BodyRates(vertx, connections);
    this.names = names.map(ConnectionAdmission::host).collect(Collectors.toUnmodifiableSet());
    this.healthPaths = healthPaths;
  }

  public BodyRates rates() {
    return rates;
  }

  /** The refusal if the limit of connections keeps the server from being ready; else null. */
  public @Nullable ProblemDocument full() {
    return connections.full() ? FULL : null;
  }

  /**
   * The refusal of a request; null: the caller must answer it. It also marks a connection beyond
   * the limit, which closes with this answer.
   */
  public @Nullable ProblemDocument check(HttpServerRequest request) {
    String uri = request.uri();
    if (connections.isBeyondLimit(request)) {
      ShutdownState.last(request);
      if (!healthPaths.contains(uri)) {
        request.response().putHeader(HeaderNames.RETRY_AFTER, "1");
        return FULL;
      }
    }
    int scheme = uri.startsWith("/") ? -1 : uri.indexOf(AUTHORITY);
    if (scheme > 0) {
      String authority = authority(uri, scheme + AUTHORITY.length());
      String host = request.headers().get(HeaderNames.HOST);
      if (host != null && !host.equalsIgnoreCase(authority)) {
        return TWO_HOSTS;
      }
      if (!own(host(authority), request)) {
        return MISDIRECTED;
      }
    }
    rates.watch(request);
    return null;
  }

  private static String authority(String uri, int start) {
    int end = start;
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return uri.substring(start, end);
  }

  private boolean own(String host, HttpServerRequest request) {
    return LoopbackAddresses.names(host)
        || names.contains(host)
        || (request.localAddress() != null
            && host.equals(host(String.valueOf(request.localAddress().hostAddress()))));
  }

  /** The host in lower case, without port; an IPv6 address in brackets. */
  private static String host(String authority) {
    String host = authority.toLowerCase(Locale.ROOT);
    if (host.indexOf(':') != host.lastIndexOf(':') && !host.startsWith("[")) {
      return "[" + host + "]";
    }
    int colon = host.lastIndexOf(':');
    return colon < 0 || host.indexOf(']', colon) >= 0 ? host : host.substring(0, colon);
  }
}
