package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what no server of ours answers, whatever is asked: more than health checks where the
 * limit of connections is reached, and addresses of other servers. For one loop.
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
   * @param names by which the server knows that it is meant, beside this machine's and the address
   *     that was connected to
   * @param healthPaths what is answered also when the limit of connections is reached
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

  /** Why the limit of connections keeps the server from being ready; null: it does not. */
  public @Nullable ProblemDocument full() {
    return connections.full() ? FULL : null;
  }

  /**
   * Why the request is refused; null: it is not, and must be answered. Where it is the last one on
   * its connection, the connection will be closed.
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

  /** Without a port, in lower case, an address of version 6 in brackets. */
  private static String host(String authority) {
    String host = authority.toLowerCase(Locale.ROOT);
    if (host.indexOf(':') != host.lastIndexOf(':') && !host.startsWith("[")) {
      return "[" + host + "]";
    }
    int colon = host.lastIndexOf(':');
    return colon < 0 || host.indexOf(']', colon) >= 0 ? host : host.substring(0, colon);
  }
}
