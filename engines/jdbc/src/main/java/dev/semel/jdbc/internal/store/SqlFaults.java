package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/** What a server's error codes mean to us, and to whoever has to do something about them. */
public interface SqlFaults {
  /** How deep the cause of a failure is looked for. */
  int MAX_DEPTH = 20;

  /**
   * Whether the transaction did nothing and may be tried again as a whole. Also where that is the
   * cause of what a handler threw.
   */
  boolean isConflict(Throwable failure);

  /** Whether a single statement that failed so did nothing and may be sent again. */
  default boolean isPassing(SQLException e) {
    return isConflict(e);
  }

  /** Whether others kept something locked for longer than was waited; nothing was done. */
  default boolean isLocked(SQLException e) {
    return false;
  }

  /**
   * Whether the server itself said that it did not commit. Without such a word, as when the
   * connection was lost or the server was stopping, it may have.
   */
  boolean refusedCommit(SQLException e);

  StoreException of(String what, SQLException e);

  static Optional<SQLException> sqlCause(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause instanceof SQLException e) {
        return Optional.of(e);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }
}
