package dev.semel.jdbc.internal.transaction;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.jdbc.OuterTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/**
 * A transaction that the caller began on a connection and will end. An undo goes back to where the
 * execution began; the rest of the transaction stays.
 */
public final class JoinedTransaction implements OuterTransactions {
  private final Connection connection;

  public JoinedTransaction(Connection connection) {
    this.connection = connection;
  }

  /**
   * Requires a transaction on the connection.
   *
   * @throws InvalidInput automatic commits are on
   */
  static void require(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new InvalidInput(
          "the connection commits every statement by itself, so the record would not belong to what the work writes: call setAutoCommit(false) first, and commit after both");
    }
  }

  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public Outer begin() throws SQLException {
    require(connection);
    return new Part(connection.setSavepoint());
  }

  private final class Part implements Outer {
    private final Savepoint start;

    Part(Savepoint start) {
      this.start = start;
    }

    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void commit() throws SQLException {
      connection.releaseSavepoint(start);
    }

    @Override
    public void rollBack() {
      try {
        connection.rollback(start);
      } catch (SQLException e) {
        throw new StoreException(
            "what the work wrote can't be undone alone: roll the transaction back", e);
      }
    }

    /** Also runs after our own errors: PostgreSQL's transaction recovers by this rollback. */
    @Override
    public void leave() {
      rollBack();
    }
  }
}
