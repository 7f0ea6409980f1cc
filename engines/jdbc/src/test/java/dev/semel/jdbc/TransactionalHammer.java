package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.KillHarness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Children that write into a ledger in the transaction that records it, and its checks. */
final class TransactionalHammer {
  static final String CREATE = "CREATE TABLE ledger (what TEXT NOT NULL)";

  private TransactionalHammer() {}

  /** Executes every key until it is done, in random order. */
  static void hammer(
      Store store, Function<Maintenance, TransactionalIdempotency> opening, int count)
      throws SQLException {
    try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
        TransactionalIdempotency idempotency = opening.apply(maintenance)) {
      List<Key> open = new ArrayList<>(KillHarness.keys(count));
      Random random = new Random();
      while (!open.isEmpty()) {
        int next = random.nextInt(open.size());
        Outcome<String> outcome =
            idempotency.execute(
                ExecutionRequest.of(open.get(next), Codec.utf8()),
                (connection, execution) -> write(connection, execution.key()));
        if (outcome.value().isPresent()) {
          open.remove(next);
        }
      }
    }
  }

  private static String write(Connection connection, Key key) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO ledger VALUES (?)")) {
      statement.setString(1, key.text());
      statement.executeUpdate();
      return "done";
    }
  }

  /**
   * The numbers of effects and of their keys; if both are equal and complete, each happened once.
   */
  record Ledger(long effects, long keys) {
    static Ledger read(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet rs =
              statement.executeQuery("SELECT count(*), count(DISTINCT what) FROM ledger")) {
        rs.next();
        return new Ledger(rs.getLong(1), rs.getLong(2));
      }
    }
  }
}
