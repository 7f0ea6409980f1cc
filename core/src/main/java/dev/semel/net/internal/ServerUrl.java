package dev.semel.net.internal;

import dev.semel.InvalidInput;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;

/** Checks addresses of servers, and sets tokens. */
public final class ServerUrl {
  private ServerUrl() {}

  /** Whether it is an HTTP address with a host, and without a password or a fragment. */
  public static boolean isHttp(URI uri) {
    return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        && uri.getHost() != null
        && uri.getRawUserInfo() == null
        && uri.getRawFragment() == null;
  }

  /**
   * The address, which must be scheme, host and port only.
   *
   * @throws InvalidInput it has more; the message does not repeat it, because it may hold a
   *     password
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

  /** A server's address for people: without path and query, which may be secret. */
  public static String text(URI uri) {
    return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }

  /** Encodes a part of a path or query, with any characters. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Checks that a token can be in a header; the message must not repeat it. */
  public static String token(String token) {
    if (!token.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new InvalidInput(
          "the token for the server holds characters that a header can't: check where it is set");
    }
    return token;
  }

  /**
   * Adds the token to the request.
   *
   * @param token empty: none
   */
  public static void authorize(HttpRequest.Builder request, String token) {
    if (!token.isEmpty()) {
      request.setHeader("Authorization", "Bearer " + token);
    }
  }
}
