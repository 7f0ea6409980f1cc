package dev.semel.jdbc.internal.engine;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * {@code mariadb://user:password@host:port/database?option=value}. Its source opens a new
 * connection per call.
 */
public final class MariaDbUrl {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  public static final int DEFAULT_PORT = 3306;

  private MariaDbUrl() {}

  /** A source with timeouts for a waiting caller. */
  public static DataSource source(String url) {
    return source(DatabaseUrl.parse(url, DEFAULT_PORT));
  }

  /** Keeps user and password out of the driver's URL, which its messages may repeat. */
  private static MariaDbDataSource source(DatabaseUrl url) {
    StringBuilder jdbc = new StringBuilder("jdbc:mariadb://");
    jdbc.append(url.host()).append(':').append(url.port()).append('/').append(url.database());
    jdbc.append("?connectTimeout=").append(CONNECT_TIMEOUT.toMillis());
    jdbc.append("&socketTimeout=").append(ANSWER_TIMEOUT.toMillis());
    for (DatabaseUrl.Option option : url.options()) {
      jdbc.append('&').append(option.name()).append('=').append(option.value());
    }
    try {
      requireKnown(Configuration.parse(jdbc.toString()));
      MariaDbDataSource source = new MariaDbDataSource(jdbc.toString());
      source.setUser(url.user());
      source.setPassword(url.password().orElse(""));
      return source;
    } catch (SQLException e) {
      throw new InvalidInput("the store's URL has an option that MariaDB's driver does not take");
    }
  }

  private static void requireKnown(Configuration configuration) {
    configuration.nonMappedOptions().stringPropertyNames().stream()
        .findFirst()
        .ifPresent(
            name -> {
              throw new InvalidInput(
                  "the store's URL has an option that MariaDB's driver does not know: "
                      + PrintableText.quoted(name));
            });
  }
}
