package dev.semel.jdbc.internal.store;

import dev.semel.jdbc.internal.sqlite.GroupCommit;
import java.sql.SQLException;

/**
 * An engine as everything sees it that is kept beside the records: steps in transactions, and the
 * clock that the store decides by. The SQL of those parts is the same for every engine.
 */
public interface SqlEngine {
  /** All of it or nothing, in a transaction that may be repeated. */
  <R> R write(String what, GroupCommit.Step<R> step);

  <R> R read(String what, GroupCommit.Step<R> step);

  long nowMillis(StatementCache db) throws SQLException;

  /**
   * What follows an insert into a table so that {@code value} adds up.
   *
   * @param key the columns of its primary key
   */
  String adding(String table, String key);

  /** How PostgreSQL says it, and SQLite too. */
  static String onConflictAdd(String table, String key) {
    return " ON CONFLICT (%s) DO UPDATE SET value = %s.value + excluded.value"
        .formatted(key, table);
  }
}
