package dev.semel.jdbc.internal.engine;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * {@code postgresql://user:password@host:port/database?option=value}, as psql accepts it. Its
 * source opens a new connection per call.
 */
public final class PostgresUrl {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  public static final int DEFAULT_PORT = 5432;

  private PostgresUrl() {}

  /** A source with timeouts for a waiting caller. */
  public static DataSource source(String url) {
    return source(DatabaseUrl.parse(url, DEFAULT_PORT));
  }

  private static PGSimpleDataSource source(DatabaseUrl url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {url.host()});
    source.setPortNumbers(new int[] {url.port()});
    source.setDatabaseName(url.database());
    source.setApplicationName("semel");
    source.setConnectTimeout((int) CONNECT_TIMEOUT.toSeconds());
    source.setLoginTimeout((int) CONNECT_TIMEOUT.toSeconds());
    source.setSocketTimeout((int) ANSWER_TIMEOUT.toSeconds());
    source.setUser(url.user());
    url.password().ifPresent(source::setPassword);
    for (DatabaseUrl.Option option : url.options()) {
      set(source, option);
    }
    return source;
  }

  private static void set(PGSimpleDataSource source, DatabaseUrl.Option option) {
    try {
      source.setProperty(option.name(), option.value());
    } catch (SQLException e) {
      throw new InvalidInput(
          "the store's URL has an option that PostgreSQL's driver does not know: "
              + PrintableText.quoted(option.name()));
    }
  }
}
