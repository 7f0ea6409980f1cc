package dev.semel.testservices;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** One database of a {@link MariaDbService}, with a user who has all rights. */
public record MariaDbDatabase(int port, String name) {
  static final String USER = "semel";
  static final String PASSWORD = "secret";

  /** The store URL. */
  public String url() {
    return "mariadb://" + USER + ":" + PASSWORD + "@" + FreePorts.HOST + ":" + port + "/" + name;
  }

  public String jdbcUrl() {
    return "jdbc:mariadb://%s:%d/%s?user=%s&password=%s"
        .formatted(FreePorts.HOST, port, name, USER, PASSWORD);
  }

  /** A source that opens a new connection per call. */
  public DataSource dataSource() {
    try {
      return new MariaDbDataSource(jdbcUrl());
    } catch (SQLException e) {
      throw new IllegalStateException("the driver does not take " + jdbcUrl(), e);
    }
  }
}
