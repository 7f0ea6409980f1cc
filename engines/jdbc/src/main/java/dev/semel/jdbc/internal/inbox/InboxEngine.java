package dev.semel.jdbc.internal.inbox;

import dev.semel.internal.Ids;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.SqlPositions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The parts of an inbox that differ between engines. Safe for many threads. */
public interface InboxEngine extends AutoCloseable {
  /**
   * Runs the step in one transaction that handlers may write in; repeats it as a whole after a
   * conflict.
   */
  <R> R transact(String what, GroupCommit.Step<R> step);

  <R> R read(String what, GroupCommit.Step<R> step);

  SqlFaults faults();

  InboxIds ids();

  SqlPositions positions();

  /** The engine's clock in SQL; the current time is this plus {@link #offset}. */
  String clock();

  /** What to add to the engine's clock: zero, or the whole time where the engine has no clock. */
  long offset();

  /** The clause that locks a query's rows and skips locked ones. */
  String skipLocked();

  /** The clause that locks a query's rows and waits for locked ones. */
  String locking();

  /** The clause after an insert that leaves an existing row unchanged. */
  String orLeave(String table);

  /** Whether the engine can partition the inbox by ids. */
  default boolean canPartition() {
    return false;
  }

  /** The query for the bytes of all inbox tables. */
  String bytes();

  /** The query for the number of columns in the ids' primary key. */
  String keyColumns();

  /** Whether the savepoint is gone, because its transaction ended. */
  boolean savepointIsGone(SQLException e);

  /**
   * Watches the connection's transaction, so that handlers need no savepoint each; empty where that
   * is impossible, or saves nothing.
   */
  default Optional<TransactionWatch> watch(Connection connection) throws SQLException {
    return Optional.empty();
  }

  /** A new mark for the ids of one transaction. */
  default InboxIds.Mark mark(String consumer, String state) {
    return new InboxIds.Mark(consumer, state, Ids.uuid7().getLeastSignificantBits(), offset());
  }

  @Override
  void close();
}
