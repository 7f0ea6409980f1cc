package dev.semel.jdbc.internal.sqlite;

import dev.semel.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Translates SQLite's result codes into errors that say what to do. */
public final class SqliteFault {
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READ_ONLY = 8;
  private static final int IO_ERROR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANT_OPEN = 14;
  private static final int CONSTRAINT = 19;
  private static final int NOT_A_DATABASE = 26;

  private SqliteFault() {}

  static boolean isBusy(SQLException e) {
    return e.getErrorCode() == BUSY || e.getErrorCode() == LOCKED;
  }

  /**
   * Whether a failed commit certainly wrote nothing; after any other failure the disk may hold it.
   */
  public static boolean refusedCommit(SQLException e) {
    return isBusy(e) || e.getErrorCode() == CONSTRAINT;
  }

  static StoreException of(Path file, String what, SQLException e) {
    return new StoreException("%s: %s: %s".formatted(file, what, advice(file, e)), e);
  }

  private static String advice(Path file, SQLException e) {
    return switch (e.getErrorCode()) {
      case BUSY, LOCKED ->
          "another process has kept its write lock for more than %d s: look for a second program on this file, a backup, or an open sqlite3 shell (fuser %s names them)"
              .formatted(SqliteFile.BUSY_TIMEOUT.toSeconds(), file);
      case READ_ONLY -> "it is read-only for this user: change its owner or its mode";
      case IO_ERROR -> "the disk reported an error (%s)".formatted(e.getMessage());
      case CORRUPT ->
          "its content is damaged: keep a copy of it and of its -wal file, then restore a backup";
      case FULL -> "the disk is full: make room";
      case CANT_OPEN -> "the file can't be opened: check that its folder may be written to";
      case NOT_A_DATABASE -> "it is no SQLite database: name another file";
      default -> adviceByText(e);
    };
  }

  private static String adviceByText(SQLException e) {
    String message = String.valueOf(e.getMessage());
    if ("No suitable driver".equals(reason(e))) {
      return "the driver is missing: add org.xerial:sqlite-jdbc to the program";
    }
    return message.contains("no such table: semel_")
        ? message + " (open the store with SchemaSetup.CREATE, and use the same file)"
        : message;
  }

  private static String reason(SQLException e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf(" found for ");
    return end < 0 ? message : message.substring(0, end);
  }
}
