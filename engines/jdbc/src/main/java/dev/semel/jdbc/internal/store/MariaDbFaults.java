package dev.semel.jdbc.internal.store;

import dev.semel.StoreException;
import java.sql.SQLException;
import java.util.Set;

/** The meaning of MariaDB's error codes. */
public final class MariaDbFaults implements SqlFaults {
  private static final int DEADLOCK = 1213;

  /** With {@code innodb_snapshot_isolation}: the row is newer than the transaction's snapshot. */
  private static final int CHANGED_SINCE_READ = 1020;

  private static final int LOCK_WAIT_TIMEOUT = 1205;

  public static final int NO_SUCH_SAVEPOINT = 1305;

  private static final int NO_TABLE = 1146;
  private static final int NO_DATABASE = 1046;
  private static final int NO_RIGHT_ON_DATABASE = 1044;
  private static final int NO_RIGHT_ON_TABLE = 1142;
  private static final int NO_RIGHT_ON_COLUMN = 1143;
  private static final int PACKET_TOO_LARGE = 1153;
  private static final int READ_ONLY = 1290;
  private static final int FULL = 1114;

  /**
   * SQL states of integrity violations and rollbacks: the server certainly did not commit. After
   * any other error the outcome is looked up.
   */
  private static final Set<String> REFUSALS = Set.of("23", "40");

  /**
   * A lock timeout is no conflict: the work may keep its connection for as long as a lock wait, and
   * ten retries of that would be too long.
   */
  @Override
  public boolean isConflict(Throwable failure) {
    return SqlFaults.sqlCause(failure)
        .map(e -> e.getErrorCode() == DEADLOCK || e.getErrorCode() == CHANGED_SINCE_READ)
        .orElse(false);
  }

  @Override
  public boolean isPassing(SQLException e) {
    return isConflict(e) || isLocked(e);
  }

  @Override
  public boolean isLocked(SQLException e) {
    return e.getErrorCode() == LOCK_WAIT_TIMEOUT;
  }

  @Override
  public boolean refusedCommit(SQLException e) {
    String state = SqlFaults.state(e);
    return state.length() == 5 && REFUSALS.contains(state.substring(0, 2));
  }

  @Override
  public StoreException of(String what, SQLException e) {
    return new StoreException("MariaDB: %s: %s".formatted(what, advice(e)), e);
  }

  private static String advice(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e.getErrorCode()) {
      case LOCK_WAIT_TIMEOUT ->
          message
              + " (another transaction keeps the record locked: look for one that stays open in information_schema.innodb_trx)";
      case NO_TABLE ->
          message + " (open the store with SchemaSetup.CREATE, and with the same database)";
      case NO_DATABASE -> message + " (name one in the connection's URL)";
      case NO_RIGHT_ON_DATABASE, NO_RIGHT_ON_TABLE, NO_RIGHT_ON_COLUMN ->
          message + " (grant it, or create the tables by hand from the store's ddl())";
      case PACKET_TOO_LARGE ->
          message + " (raise the server's max_allowed_packet above the largest response)";
      case READ_ONLY -> message + " (if it is a replica, name the primary)";
      case FULL -> message + " (make room on the server's disk)";
      default -> message;
    };
  }
}
