package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/** Translates a server's error codes into decisions and into errors that say what to do. */
public interface SqlFaults {
  /** How deep to search a failure's chain of causes. */
  int MAX_DEPTH = 20;

  /**
   * Whether the transaction did nothing and may be repeated as a whole, also if a handler's
   * exception was caused by that.
   */
  boolean isConflict(Throwable failure);

  /** Whether a single failed statement did nothing and may be sent again. */
  default boolean isPassing(SQLException e) {
    return isConflict(e);
  }

  /** Whether a lock wait timed out; nothing was done. */
  default boolean isLocked(SQLException e) {
    return false;
  }

  /**
   * Whether the server said that it did not commit. Without that answer, as when the connection was
   * lost or the server was stopping, it may have committed.
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
