package dev.semel.net.internal;

import dev.semel.InvalidInput;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;

/** Addresses of servers and what is shown to them. */
public final class ServerUrl {
  private ServerUrl() {}

  /** Whether it is one of HTTP with a host, and without a password or a fragment. */
  public static boolean isHttp(URI uri) {
    return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        && uri.getHost() != null
        && uri.getRawUserInfo() == null
        && uri.getRawFragment() == null;
  }

  /**
   * Scheme, host and port, and nothing else.
   *
   * @throws InvalidInput it has more; the message does not repeat it, for it may hold a password
   */
  public static URI root(URI server) {
    boolean bare =
        server.getRawQuery() == null
            && (server.getRawPath() == null || server.getRawPath().matches("/?"));
    if (!isHttp(server) || !bare) {
      throw new InvalidInput(
          "the server's address is not valid: write scheme, host and port alone, such as http://127.0.0.1:4437");
    }
    return URI.create(text(server));
  }

  /** Where a server is, for people: never with what stands behind it, which may be secret. */
  public static String text(URI uri) {
    return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }

  /** A part of a path or query that may hold anything. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A token as it may stand in a header; the message must not repeat it. */
  public static String token(String token) {
    if (!token.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new InvalidInput(
          "the token for the server holds characters that a header can't: check where it is set");
    }
    return token;
  }

  /**
   * Shows it to the server.
   *
   * @param token empty: none
   */
  public static void authorize(HttpRequest.Builder request, String token) {
    if (!token.isEmpty()) {
      request.setHeader("Authorization", "Bearer " + token);
    }
  }
}
