package dev.semel.jdbc.internal.store;

import dev.semel.jdbc.internal.sqlite.GroupCommit;
import java.sql.SQLException;

/**
 * An engine, as used by everything except the records: steps in transactions, and the store's
 * clock. The SQL of those parts is the same on every engine.
 */
public interface SqlEngine {
  /** Runs the step in one transaction, which may be repeated. */
  <R> R write(String what, GroupCommit.Step<R> step);

  <R> R read(String what, GroupCommit.Step<R> step);

  long nowMillis(StatementCache db) throws SQLException;

  /**
   * The clause after an insert that adds to {@code value} where the row exists.
   *
   * @param key the columns of the primary key
   */
  String adding(String table, String key);

  /** The clause for PostgreSQL and SQLite. */
  static String onConflictAdd(String table, String key) {
    return " ON CONFLICT (%s) DO UPDATE SET value = %s.value + excluded.value"
        .formatted(key, table);
  }
}
