package dev.semel.server.http;

import dev.semel.InvalidInput;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The host that a request is meant for, in each version of HTTP. */
public final class RequestAuthority {
  private RequestAuthority() {}

  /** The connection's scheme; on HTTP/2, callers may claim another one. */
  public static String scheme(HttpServerRequest request) {
    return request.isSSL() ? "https" : "http";
  }

  /**
   * Throws if the host is missing.
   *
   * @throws InvalidInput it is
   */
  public static void check(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_1_1
        && request.headers().get(HeaderNames.HOST) == null) {
      throw new InvalidInput("the Host header is missing: send it");
    }
    if (request.version() == HttpVersion.HTTP_2 && request.authority() == null) {
      throw new InvalidInput("the request names no host: send :authority");
    }
  }

  /**
   * The host as in a Host header, with the port if the caller named one. Null: HTTP/1.0 need not
   * name it.
   *
   * @throws InvalidInput it is missing, or occurs twice
   */
  public static @Nullable String of(HttpServerRequest request) {
    check(request);
    String header = HeaderFields.find(request.headers(), HeaderNames.HOST);
    if (request.version() != HttpVersion.HTTP_2) {
      return header;
    }
    HostAndPort named = Objects.requireNonNull(request.authority());
    String host = named.port() < 0 ? named.host() : named.host() + ":" + named.port();
    if (header != null && !header.equalsIgnoreCase(host)) {
      throw new InvalidInput("the Host header and :authority name two hosts: send one");
    }
    return host;
  }
}
