package dev.semel.jdbc.internal.engine;

import dev.semel.InvalidInput;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A parsed and decoded {@code scheme://user:password@host:port/database?option=value}. */
public record DatabaseUrl(
    String host,
    int port,
    String database,
    String user,
    Optional<String> password,
    List<Option> options) {
  /** One option of the URL. */
  public record Option(String name, String value) {
    /** Hides the value, which may be a password. */
    @Override
    public String toString() {
      return name;
    }
  }

  public static DatabaseUrl parse(String url, int defaultPort) {
    String scheme = url.substring(0, url.indexOf(':'));
    URI uri = uri(url, scheme, defaultPort);
    if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
      throw new InvalidInput(
          "the store's URL names no host or no database: write it as " + form(scheme, defaultPort));
    }
    String userInfo = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
    int colon = userInfo.indexOf(':');
    String user = decode(colon < 0 ? userInfo : userInfo.substring(0, colon));
    return new DatabaseUrl(
        uri.getHost(),
        uri.getPort() < 0 ? defaultPort : uri.getPort(),
        uri.getPath().substring(1),
        user.isEmpty() ? System.getProperty("user.name").toLowerCase(Locale.ROOT) : user,
        colon < 0 ? Optional.empty() : Optional.of(decode(userInfo.substring(colon + 1))),
        options(uri.getRawQuery()));
  }

  /** Hides the password. */
  @Override
  public String toString() {
    return "DatabaseUrl[%s:%d/%s, %s]".formatted(host, port, database, options);
  }

  /** Drops the parser's message, which would repeat the URL and its password. */
  private static URI uri(String url, String scheme, int defaultPort) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new InvalidInput(
          "the store's URL can't be read: write it as %s, with special characters in a password percent-encoded"
              .formatted(form(scheme, defaultPort)));
    }
  }

  private static String form(String scheme, int port) {
    return "%s://user@host:%d/database".formatted(scheme, port);
  }

  public static List<Option> options(@Nullable String query) {
    List<Option> options = new ArrayList<>();
    if (query == null || query.isEmpty()) {
      return options;
    }
    for (String option : query.split("&", -1)) {
      int equals = option.indexOf('=');
      options.add(
          new Option(
              decode(equals < 0 ? option : option.substring(0, equals)),
              equals < 0 ? "" : decode(option.substring(equals + 1))));
    }
    return options;
  }

  /** Decodes as in a URL's path: a plus sign stays a plus sign. */
  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
