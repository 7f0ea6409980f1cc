package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.admin.Backend;
import dev.semel.jdbc.PostgresStore;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * {@code postgresql://user:password@host:port/database?option=value}, as psql takes it. A command
 * makes a few calls and ends, so connections are not pooled.
 */
final class PostgresUrl {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final int DEFAULT_PORT = 5432;

  private PostgresUrl() {}

  static Backend open(String url) {
    PostgresStore store = PostgresStore.open(source(url));
    return new Stores.Opened(Stores.withoutSecrets(url), store, store, store, () -> {});
  }

  static PGSimpleDataSource source(String url) {
    URI uri = parse(url);
    if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
      throw new InvalidInput(
          "the store's URL names no host or no database: write it as postgresql://user@host:5432/database");
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {uri.getHost()});
    source.setPortNumbers(new int[] {uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort()});
    source.setDatabaseName(uri.getPath().substring(1));
    source.setApplicationName("semel");
    source.setConnectTimeout((int) CONNECT_TIMEOUT.toSeconds());
    source.setLoginTimeout((int) CONNECT_TIMEOUT.toSeconds());
    source.setSocketTimeout((int) ANSWER_TIMEOUT.toSeconds());
    setUser(source, uri.getRawUserInfo());
    setOptions(source, uri.getRawQuery());
    return source;
  }

  /** Its message would repeat the URL, and with it a password. */
  private static URI parse(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new InvalidInput(
          "the store's URL can't be read: write it as postgresql://user@host:5432/database, with special characters in a password percent-encoded");
    }
  }

  private static void setUser(PGSimpleDataSource source, @Nullable String userInfo) {
    if (userInfo == null) {
      source.setUser(System.getProperty("user.name").toLowerCase(Locale.ROOT));
      return;
    }
    int colon = userInfo.indexOf(':');
    source.setUser(decode(colon < 0 ? userInfo : userInfo.substring(0, colon)));
    if (colon >= 0) {
      source.setPassword(decode(userInfo.substring(colon + 1)));
    }
  }

  private static void setOptions(PGSimpleDataSource source, @Nullable String query) {
    if (query == null || query.isEmpty()) {
      return;
    }
    for (String option : query.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      try {
        source.setProperty(decode(name), equals < 0 ? "" : decode(option.substring(equals + 1)));
      } catch (SQLException e) {
        throw new InvalidInput(
            "the store's URL has an option that PostgreSQL's driver does not know: "
                + Printable.quoted(name));
      }
    }
  }

  /** As in a URL's path: a plus sign is a plus sign. */
  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
