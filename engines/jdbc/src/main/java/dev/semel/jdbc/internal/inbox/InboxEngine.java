package dev.semel.jdbc.internal.inbox;

import dev.semel.internal.Ids;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlFaults;
import dev.semel.jdbc.internal.store.SqlPositions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** What the inbox asks of an engine; safe for many threads. */
public interface InboxEngine extends AutoCloseable {
  /**
   * All of it or nothing, in a transaction that handlers may write in; repeated as a whole when it
   * met another.
   */
  <R> R transact(String what, GroupCommit.Step<R> step);

  <R> R read(String what, GroupCommit.Step<R> step);

  SqlFaults faults();

  InboxIds ids();

  SqlPositions positions();

  /** The engine's clock in SQL; together with {@link #offset} it says what time it is. */
  String clock();

  /** What to add to the engine's clock: nothing, or all of it where the engine has none. */
  long offset();

  /** What follows a query for rows that others should leave alone and nobody should wait for. */
  String skipLocked();

  /**
   * What follows a query for rows that others should leave alone, waiting for those who have them.
   */
  String locking();

  /** What follows an insert so that a row with the same key is left as it is. */
  String orLeave(String table);

  /** Whether it may be partitioned by ids. */
  default boolean canPartition() {
    return false;
  }

  /** Asks for the bytes of all tables of the inbox. */
  String bytes();

  /** Asks for how many columns the primary key of the ids has. */
  String keyColumns();

  /** Whether there is no such savepoint any more: its transaction was ended. */
  boolean savepointIsGone(SQLException e);

  /**
   * Begins to watch the connection's transaction, so that handlers need no savepoint each; none
   * where that can't be done, or would save nothing.
   */
  default Optional<TransactionWatch> watch(Connection connection) throws SQLException {
    return Optional.empty();
  }

  /** Something to know the ids of a transaction by. */
  default InboxIds.Mark mark(String consumer, String state) {
    return new InboxIds.Mark(consumer, state, Ids.uuid7().getLeastSignificantBits(), offset());
  }

  @Override
  void close();
}
