package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Transactions that the application begins and ends in its own way, such as those of a framework:
 * what else takes part in them, a persistence context or a callback, is theirs to know.
 */
public interface OuterTransactions {
  /**
   * Begins one on this thread, or joins the one that runs there.
   *
   * @throws SQLException when there can be none; nothing was done
   */
  Outer begin() throws SQLException;

  /** Whether one that met another may be begun anew; not where it is somebody else's. */
  default boolean repeatable() {
    return true;
  }

  /** One of them. Exactly one of the three ways to end it is taken, on the thread that began it. */
  interface Outer {
    /** The connection of the transaction, with automatic commits off. */
    Connection connection();

    /**
     * Commits, or if it was joined, leaves that to whoever began it.
     *
     * @throws SQLException as the database said it, or when its answer was lost
     */
    void commit() throws SQLException;

    /** What was done must not be committed, by nobody. */
    void rollBack();

    /** Nothing was done. */
    void leave();
  }
}
