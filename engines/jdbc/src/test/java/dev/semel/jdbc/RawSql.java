package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Another program's statements, with one connection per call. */
final class RawSql {
  private final Connecting connecting;

  /** Opens a connection. */
  @FunctionalInterface
  interface Connecting {
    Connection connect() throws SQLException;
  }

  RawSql(Connecting connecting) {
    this.connecting = connecting;
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = connecting.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  long number(String sql) throws SQLException {
    try (Connection connection = connecting.connect();
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery(sql)) {
      rs.next();
      return rs.getLong(1);
    }
  }
}
