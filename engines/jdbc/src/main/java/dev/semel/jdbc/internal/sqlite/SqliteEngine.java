package dev.semel.jdbc.internal.sqlite;

import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import java.time.InstantSource;

/**
 * SQLite for everything except the records: writers share commits, and the clock is the given one.
 */
public record SqliteEngine(GroupCommit writers, SqliteReaders readers, InstantSource clock)
    implements SqlEngine {
  /** Ignores {@code what}: the writers' own errors say what failed. */
  @Override
  public <R> R write(String what, GroupCommit.Step<R> step) {
    return writers.run(step);
  }

  @Override
  public <R> R read(String what, GroupCommit.Step<R> step) {
    return readers.read(step);
  }

  @Override
  public long nowMillis(StatementCache db) {
    return clock.millis();
  }

  @Override
  public String adding(String table, String key) {
    return SqlEngine.onConflictAdd(table, key);
  }
}
