package dev.semel.example.payments;

import static org.awaitility.Awaitility.await;

import dev.semel.testservices.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A table that is readable but locked for writes until released: a transaction that wants to write
 * there waits.
 */
final class HeldTable implements AutoCloseable {
  private static final String WAITING =
      """
      SELECT count(*) FROM pg_locks
      WHERE NOT granted AND locktype = 'relation' AND relation = ?::regclass
      """;

  private static final String WAITING_AFTER_A_WRITE =
      WAITING
          + """
          AND pid IN (SELECT pid FROM pg_locks WHERE granted AND locktype = 'relation'
            AND mode = 'RowExclusiveLock' AND relation = ?::regclass)
          """;

  private final Connection connection;
  private final String table;

  private HeldTable(Connection connection, String table) {
    this.connection = connection;
    this.table = table;
  }

  static HeldTable hold(TestDatabase database, String table) throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("LOCK TABLE " + table + " IN EXCLUSIVE MODE");
    }
    return new HeldTable(connection, table);
  }

  /** Waits until a transaction waits for this table. */
  void awaitWriter() {
    await().until(() -> count(WAITING, table) > 0);
  }

  /** Waits until a transaction that has written to another table waits for this one. */
  void awaitWriterThatWroteTo(String other) {
    await().until(() -> count(WAITING_AFTER_A_WRITE, table, other) > 0);
  }

  private long count(String query, String... tables) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < tables.length; i++) {
        statement.setString(i + 1, tables[i]);
      }
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return found.getLong(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close(); // which rolls back
  }
}
