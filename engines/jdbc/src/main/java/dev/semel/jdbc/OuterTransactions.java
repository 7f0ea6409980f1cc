package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Begins and ends transactions the way the application does, for example with its framework's
 * transaction manager. Implement this when {@link TransactionalIdempotency} must join transactions
 * that have a persistence context or callbacks.
 */
public interface OuterTransactions {
  /**
   * Begins a transaction on this thread, or joins the one that is active there.
   *
   * @throws SQLException when no transaction can begin; nothing was done
   */
  Outer begin() throws SQLException;

  /** Whether Semel may repeat a transaction after a conflict. False where someone else began it. */
  default boolean repeatable() {
    return true;
  }

  /**
   * One transaction. The caller ends it in exactly one of the three ways, on the thread that began
   * it.
   */
  interface Outer {
    /** The connection of the transaction, with automatic commits off. */
    Connection connection();

    /**
     * Commits. A joined transaction is left open: its owner commits it.
     *
     * @throws SQLException when the database refused the commit, or when its answer was lost
     */
    void commit() throws SQLException;

    /** Rolls back. A joined transaction is marked so that its owner can't commit it. */
    void rollBack();

    /** Ends a transaction in which nothing was written. */
    void leave();
  }
}
