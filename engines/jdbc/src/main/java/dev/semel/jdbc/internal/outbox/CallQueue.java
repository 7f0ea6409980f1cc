package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlEngine;

/** Where a relay's busy calls run, one at a time; safe for many threads. */
public interface CallQueue extends AutoCloseable {
  <R> R run(String what, GroupCommit.Step<R> step);

  /** Lets go of what it holds; a later call takes it again. */
  @Override
  void close();

  /** That of an engine that has its connections open anyway. */
  static CallQueue reading(SqlEngine engine) {
    return new OfEngine(engine, false);
  }

  /** The same for what changes something. */
  static CallQueue writing(SqlEngine engine) {
    return new OfEngine(engine, true);
  }

  /** Takes the engine's own way. */
  record OfEngine(SqlEngine engine, boolean writes) implements CallQueue {
    @Override
    public <R> R run(String what, GroupCommit.Step<R> step) {
      return writes ? engine.write(what, step) : engine.read(what, step);
    }

    @Override
    public void close() {}
  }
}
