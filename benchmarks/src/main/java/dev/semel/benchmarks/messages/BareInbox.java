package dev.semel.benchmarks.messages;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The bare statements of an inbox with a handler that updates an account. */
final class BareInbox {
  private static final int ACCOUNTS = 1000;

  private static final String UPDATE = "UPDATE account SET cents = cents + 1 WHERE id = ?";
  private static final String RECORD =
      "INSERT INTO bare_inbox (consumer, id, seen_at) SELECT ?, id, now()"
          + " FROM unnest(?::text[]) AS id ON CONFLICT DO NOTHING RETURNING id";

  private final DataSource source;
  private int account;

  BareInbox(DataSource source) throws SQLException {
    this.source = source;
    OutboxBenchmark.execute(source, "CREATE TABLE account (id int PRIMARY KEY, cents bigint)");
    OutboxBenchmark.execute(
        source,
        "INSERT INTO account SELECT n, 0 FROM generate_series(0, %d) n".formatted(ACCOUNTS));
    OutboxBenchmark.execute(
        source,
        "CREATE TABLE bare_inbox (consumer text, id text, seen_at timestamptz,"
            + " PRIMARY KEY (consumer, id))");
  }

  /** The handler's update of the next account. */
  boolean update(Connection connection) throws SQLException {
    return update(connection, account++ % ACCOUNTS);
  }

  /** The handler's update of a given account. */
  static boolean update(Connection connection, int account) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
      statement.setInt(1, account);
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * One transaction: the ids, and for each new one the handler's statement, which can be undone
   * alone.
   */
  void take(String consumer, List<String> ids) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement record = connection.prepareStatement(RECORD);
          Statement plain = connection.createStatement()) {
        record.setString(1, consumer);
        record.setArray(2, connection.createArrayOf("text", ids.toArray()));
        List<String> fresh = new ArrayList<>();
        try (ResultSet rs = record.executeQuery()) {
          while (rs.next()) {
            fresh.add(rs.getString(1));
          }
        }
        for (int i = 0; i < fresh.size(); i++) {
          plain.execute("SAVEPOINT bare");
          update(connection);
          plain.execute("RELEASE SAVEPOINT bare");
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }
}
