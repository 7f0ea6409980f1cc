package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.idempotency.spi.Store;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.function.Function;
import javax.sql.DataSource;

/** A separate database behind a small pool. Time passes on the server's clock. */
final class ServerUnderTest implements StoreUnderTest, AutoCloseable {
  private final HikariDataSource pool;
  private final Store store;

  private ServerUnderTest(String jdbcUrl, Function<DataSource, Store> opening) {
    this.pool = pool(jdbcUrl, 8);
    this.store = opening.apply(pool);
  }

  static ServerUnderTest of(TestDatabase database) {
    return new ServerUnderTest(database.jdbcUrl(), PostgresStore::open);
  }

  static ServerUnderTest of(MariaDbDatabase database) {
    return new ServerUnderTest(database.jdbcUrl(), MariaDbStore::open);
  }

  static HikariDataSource pool(String jdbcUrl, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void elapse(Duration d) {
    elapse(pool, d);
  }

  /** Returns once the server's clock has advanced. */
  static void elapse(DataSource source, Duration d) {
    try (Connection connection = source.getConnection()) {
      LocalDateTime start = now(connection);
      Together.until(
          () -> {
            try {
              return now(connection).isAfter(start.plus(d));
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          });
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static LocalDateTime now(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT localtimestamp(6)");
        ResultSet rs = statement.executeQuery()) {
      rs.next();
      return rs.getObject(1, LocalDateTime.class);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
