package dev.semel.cli.demo;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Commits, and then publishes: two steps, and nothing remembers the second. */
final class PlainShop {
  private final Path file;

  PlainShop(Path file) {
    this.file = file;
  }

  /** Commits. The publish comes after it, if the process lives that long. */
  void order() throws SQLException {
    try (Connection connection = connect(file)) {
      execute(connection, "CREATE TABLE orders (item TEXT)");
      execute(connection, "CREATE TABLE parcels (item TEXT)");
      execute(connection, "INSERT INTO orders VALUES ('a lamp')");
    }
  }

  /** The warehouse without an inbox. */
  void ship(int messages) throws SQLException {
    try (Connection connection = connect(file)) {
      for (int i = 0; i < messages; i++) {
        execute(connection, "INSERT INTO parcels VALUES ('a lamp')");
      }
    }
  }

  int orders() throws SQLException {
    return count(file, "orders");
  }

  int parcels() throws SQLException {
    return count(file, "parcels");
  }

  static int count(Path file, String table) throws SQLException {
    try (Connection connection = connect(file);
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return rs.next() ? rs.getInt(1) : 0;
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection connect(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }
}
