package dev.semel.example.payments;

import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the application's tables directly. */
final class Books {
  private final TestDatabase database;

  Books(TestDatabase database) {
    this.database = database;
  }

  long charges(String order) {
    return count("SELECT count(*) FROM charge WHERE order_id = ?", order);
  }

  long entries(String order) {
    return count(
        "SELECT count(*) FROM ledger l JOIN charge c ON c.id = l.charge_id WHERE c.order_id = ?",
        order);
  }

  private long count(String query, String order) {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, order);
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return found.getLong(1);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
