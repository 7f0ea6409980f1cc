package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import java.sql.SQLException;
import java.util.Set;

/** The meaning of PostgreSQL's error codes. */
public final class PostgresFaults implements SqlFaults {
  /** Serialization failure and deadlock: the transaction did nothing and may be repeated. */
  private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

  public static final String ABORTED_TRANSACTION = "25P02";

  private static final String NO_TABLE = "42P01";
  private static final String NO_RIGHT = "42501";
  private static final String LOCK_TIMEOUT = "55P03";
  private static final String UNKNOWN_COMPLETION = "40003";

  @Override
  public boolean isConflict(Throwable failure) {
    return SqlFaults.sqlCause(failure)
        .map(e -> CONFLICTS.contains(SqlFaults.state(e)))
        .orElse(false);
  }

  @Override
  public boolean isLocked(SQLException e) {
    return SqlFaults.state(e).equals(LOCK_TIMEOUT);
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    String state = SqlFaults.state(e);
    return state.length() == 5
        && !state.equals(UNKNOWN_COMPLETION)
        && !Set.of("08", "57", "58", "XX").contains(state.substring(0, 2));
  }

  @Override
  public StoreException of(String what, SQLException e) {
    return new StoreException("PostgreSQL: %s: %s".formatted(what, advice(e)), e);
  }

  private static String advice(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return switch (SqlFaults.state(e)) {
      case NO_TABLE ->
          message + " (open the store with SchemaSetup.CREATE, and with the same search_path)";
      case NO_RIGHT -> message + " (grant it, or create the tables by hand from the store's ddl())";
      case LOCK_TIMEOUT ->
          message + " (others use the table for longer than was waited: try again)";
      default -> message;
    };
  }
}
