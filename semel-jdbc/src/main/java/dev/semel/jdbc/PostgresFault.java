package dev.semel.jdbc;

import dev.semel.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** What PostgreSQL's error codes mean to us, and to whoever has to do something about them. */
final class PostgresFault {
  /** Serialization failure and deadlock: the transaction did nothing and may be tried again. */
  private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

  static final String ABORTED_TRANSACTION = "25P02";

  private static final String NO_TABLE = "42P01";
  private static final String NO_RIGHT = "42501";
  private static final String UNKNOWN_COMPLETION = "40003";

  private PostgresFault() {}

  /** Also where it is the cause of what a handler threw. */
  static boolean isConflict(Throwable failure) {
    return sqlCause(failure).map(e -> CONFLICTS.contains(state(e))).orElse(false);
  }

  private static Optional<SQLException> sqlCause(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      if (cause instanceof SQLException e) {
        return Optional.of(e);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /**
   * Whether the server itself said that it did not commit. Without such a word, as when the
   * connection was lost or the server was stopping, it may have.
   */
  static boolean refusedCommit(SQLException e) {
    String state = state(e);
    return state.length() == 5
        && !state.equals(UNKNOWN_COMPLETION)
        && !Set.of("08", "57", "58", "XX").contains(state.substring(0, 2));
  }

  static StoreException of(String what, SQLException e) {
    return new StoreException("PostgreSQL: %s: %s".formatted(what, advice(e)), e);
  }

  private static String advice(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return switch (state(e)) {
      case NO_TABLE ->
          message + " (open the store with SchemaSetup.CREATE, and with the same search_path)";
      case NO_RIGHT -> message + " (grant it, or create the tables by hand from the store's ddl())";
      default -> message;
    };
  }

  private static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }
}
