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

/** How one engine says what the outbox needs and each says differently. */
public interface OutboxDialect {
  /** Messages that are inserted by one statement, at most. */
  int MAX_INSERTED_AT_ONCE = 500;

  String AUDIT_FAILED = "the audit failed";

  /** Numbers and inserts, and rings where a relay rests; within the connection's transaction. */
  void insert(Connection connection, List<Message> messages) throws SQLException;

  List<OutboxEntry> read(StatementCache db, List<ReadRange> slices, int limitEach)
      throws SQLException;

  void delete(StatementCache db, List<Long> places) throws SQLException;

  /** Takes them out of the queue and keeps them as published. */
  void keep(StatementCache db, List<Long> places) throws SQLException;

  /** Whether {@link #keep} is one statement, and so needs no transaction around it. */
  boolean keepsAtOnce();

  /** What makes a read lock its rows until the transaction ends. */
  String locking();

  /** The same, but without those that others have locked. */
  String lockingOthersSkipped();

  /** Before so many rows are inserted with {@link #next}. */
  void draw(StatementCache db, int numbers) throws SQLException;

  /** The next number, in a query whose rows are in the order of {@code place}. */
  String next();

  /** A new id. */
  String newId();

  /** A message's id that a query found, to be compared with ours. */
  String comparable(String id);

  /**
   * Runs what looks at rows by words that are not ours, and makes sure that it only looks.
   *
   * @param engine the one that this is a dialect of
   */
  <R> R looking(SqlEngine engine, GroupCommit.Step<R> step);

  /** The same on a server, where a transaction can be told so. */
  static <R> R lookingAfter(String begin, SqlEngine engine, GroupCommit.Step<R> step) {
    return engine.write(
        AUDIT_FAILED,
        db -> {
          HandlerCall.execute(db.connection(), begin);
          return step.run(db);
        });
  }

  /** Sets a relay's own connection up. */
  List<String> setUp();

  /** Undoes that, but for the isolation of transactions. */
  List<String> takeDown();

  StoreException fault(String what, SQLException e);

  /** Whether writers ring for relays of other processes. */
  boolean rings();
}
