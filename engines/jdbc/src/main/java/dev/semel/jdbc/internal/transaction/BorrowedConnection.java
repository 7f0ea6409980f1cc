package dev.semel.jdbc.internal.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection that was lent to a transaction of same-transaction mode, and goes back as it came.
 * For one thread.
 */
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
   * Looks whether the transaction can still be the one that was begun.
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

  /** What has to be done after the transaction, even if the work closed its connection. */
  @FunctionalInterface
  public interface Last {
    void run() throws SQLException;
  }

  /** Rolls back what was not committed. */
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
   * Gives a connection back as it came. One whose server does not answer is cut off.
   *
   * @param undo what was set up in its session
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

  /** Turning automatic commits on would commit; what can't be rolled back is cut off instead. */
  public static void giveUp(Connection connection) {
    try (connection) {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone already; the server rolls back what a lost client left open.
    }
  }
}
