package dev.semel.jdbc.internal.outbox;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The outbox's SQL that differs between engines. */
public interface OutboxDialect {
  /** The most messages that one statement inserts. */
  int MAX_INSERTED_AT_ONCE = 500;

  String AUDIT_FAILED = "the audit failed";

  /** Numbers and inserts messages, and wakes a resting relay, in the connection's transaction. */
  void insert(Connection connection, List<Message> messages) throws SQLException;

  List<OutboxEntry> read(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException;

  void delete(StatementCache db, List<Long> places) throws SQLException;

  /** Moves messages from the queue to the history. */
  void keep(StatementCache db, List<Long> places) throws SQLException;

  /** Whether {@link #keep} is one statement, so that it needs no transaction. */
  boolean keepsAtOnce();

  /** The clause that makes a read lock its rows until the transaction ends. */
  String locking();

  /** The locking clause that skips rows which others have locked. */
  String lockingOthersSkipped();

  /** Reserves numbers before as many rows are inserted with {@link #next}. */
  void draw(StatementCache db, int numbers) throws SQLException;

  /** The next number, for a query with rows ordered by {@code place}. */
  String next();

  /** A new id. */
  String newId();

  /** A queried id in the form that is compared with ours. */
  String comparable(String id);

  /**
   * Runs an application's query in a way that can't write.
   *
   * @param engine the engine of this dialect
   */
  <R> R looking(SqlEngine engine, GroupCommit.Step<R> step);

  /** Runs such a query on a server, where the transaction itself can be read-only. */
  static <R> R lookingAfter(String begin, SqlEngine engine, GroupCommit.Step<R> step) {
    return engine.write(
        AUDIT_FAILED,
        db -> {
          HandlerCall.execute(db.connection(), begin);
          return step.run(db);
        });
  }

  /** Statements that set up a relay's connection. */
  List<String> setUp();

  /** Statements that undo {@link #setUp}, except the isolation level. */
  List<String> takeDown();

  StoreException fault(String what, SQLException e);

  /** Whether writers can wake relays of other processes. */
  boolean rings();
}
