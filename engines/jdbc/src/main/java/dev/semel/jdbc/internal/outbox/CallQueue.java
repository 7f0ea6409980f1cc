package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlEngine;

/** Runs a relay's frequent calls, one at a time. Safe for many threads. */
public interface CallQueue extends AutoCloseable {
  <R> R run(String what, GroupCommit.Step<R> step);

  /** Closes the connection; a later call opens another one. */
  @Override
  void close();

  /** Reads on an engine that keeps its connections open anyway. */
  static CallQueue reading(SqlEngine engine) {
    return new OfEngine(engine, false);
  }

  /** Writes on an engine that keeps its connections open anyway. */
  static CallQueue writing(SqlEngine engine) {
    return new OfEngine(engine, true);
  }

  /** Uses the engine's own connections. */
  record OfEngine(SqlEngine engine, boolean writes) implements CallQueue {
    @Override
    public <R> R run(String what, GroupCommit.Step<R> step) {
      return writes ? engine.write(what, step) : engine.read(what, step);
    }

    @Override
    public void close() {}
  }
}
