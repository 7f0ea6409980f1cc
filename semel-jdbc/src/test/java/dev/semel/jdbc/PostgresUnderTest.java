package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;
import dev.semel.tck.StoreUnderTest;
import dev.semel.testservices.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import javax.sql.DataSource;

/** A database of its own, behind a small pool. Time passes as the server's clock says. */
final class PostgresUnderTest implements StoreUnderTest, AutoCloseable {
  private final HikariDataSource pool;
  private final PostgresStore store;

  PostgresUnderTest(Database database) {
    this.pool = pool(database, 8);
    this.store = PostgresStore.open(pool);
  }

  static HikariDataSource pool(Database database, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  @Override
  public IdempotencyStore idempotency() {
    return store;
  }

  @Override
  public KeyCatalog catalog() {
    return store;
  }

  @Override
  public StatisticsStore statistics() {
    return store;
  }

  @Override
  public void elapse(Duration d) {
    elapse(pool, d);
  }

  /** Returns once the server's clock has moved on. */
  static void elapse(DataSource source, Duration d) {
    try (Connection connection = source.getConnection()) {
      Timestamp start = now(connection);
      Together.until(
          () -> {
            try {
              return now(connection).toInstant().isAfter(start.toInstant().plus(d));
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          });
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static Timestamp now(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT clock_timestamp()");
        ResultSet rs = statement.executeQuery()) {
      rs.next();
      return rs.getTimestamp(1);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
