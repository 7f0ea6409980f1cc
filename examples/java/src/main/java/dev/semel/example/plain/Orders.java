package dev.semel.example.plain;

import dev.semel.Semel;
import dev.semel.idempotency.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Orders in the same file as the keys. A row and its idempotency record commit together, so a crash
 * can't separate them.
 */
final class Orders {
  private final Semel semel;
  private final Path database;

  Orders(Semel semel, Path database) {
    this.semel = semel;
    this.database = database;
  }

  Outcome<String> place(String id, String item) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database)) {
      connection.setAutoCommit(false);
      Outcome<String> outcome =
          semel
              .once("order", id)
              .request(item)
              .inTransaction(connection)
              .call(execution -> insert(connection, item));
      connection.commit();
      return outcome;
    }
  }

  private static String insert(Connection connection, String item) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, item TEXT)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (item) VALUES (?) RETURNING number")) {
      insert.setString(1, item);
      try (ResultSet inserted = insert.executeQuery()) {
        inserted.next();
        return "number " + inserted.getLong(1);
      }
    }
  }
}
