package dev.semel.jdbc.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/** A connection lent to a same-transaction execution; it goes back unchanged. For one thread. */
public final class BorrowedConnection {
  private static final int UNDO_MILLIS = 5_000;

  private final Connection connection;
  private final boolean automatic;
  private boolean committed;

  private BorrowedConnection(Connection connection, boolean automatic) {
    this.connection = connection;
    this.automatic = automatic;
  }

  /** Takes over a connection that has no transaction yet. */
  public static BorrowedConnection of(Connection connection) throws SQLException {
    return new BorrowedConnection(connection, connection.getAutoCommit());
  }

  public Connection connection() {
    return connection;
  }

  /**
   * Checks that the transaction can still be the original one.
   *
   * @throws IllegalStateException when the work ended it
   */
  public void requireOpen() throws SQLException {
    if (connection.isClosed() || connection.getAutoCommit()) {
      throw EngineTransactions.endedByWork();
    }
  }

  public void commit() throws SQLException {
    connection.commit();
    committed = true;
  }

  /** A step after the transaction that runs even if the work closed its connection. */
  @FunctionalInterface
  public interface Last {
    void run() throws SQLException;
  }

  /** Rolls back uncommitted work and returns the connection. */
  public void giveBack(Last last) {
    try {
      if (connection.isClosed()) {
        last.run();
        return;
      }
      if (!committed && !connection.getAutoCommit()) {
        connection.rollback();
      }
      last.run();
      connection.setAutoCommit(automatic);
      connection.close();
    } catch (SQLException e) {
      giveUp(connection);
    }
  }

  /**
   * Returns a connection unchanged. Aborts it when its server does not answer.
   *
   * @param undo reverts the session's settings
   */
  public static void giveBack(Connection connection, Last undo) {
    try {
      int patience = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, UNDO_MILLIS);
      undo.run();
      connection.setNetworkTimeout(Runnable::run, patience);
      connection.close();
    } catch (SQLException e) {
      giveUp(connection);
    }
  }

  /** Aborts the connection when it can't roll back: turning automatic commits on would commit. */
  public static void giveUp(Connection connection) {
    try (connection) {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // The connection is gone already; the server rolls back a lost client's transaction.
    }
  }
}
