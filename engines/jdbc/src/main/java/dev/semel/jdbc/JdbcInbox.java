package dev.semel.jdbc;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.Inbox;
import dev.semel.inbox.MessageHandler;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.InboxIds;
import dev.semel.jdbc.internal.inbox.OutsideConsumerInbox;
import dev.semel.jdbc.internal.inbox.SqlInboxOperations;
import dev.semel.jdbc.internal.inbox.StoredMessages;
import dev.semel.jdbc.internal.inbox.TransactionalConsumerInbox;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.LogPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * An inbox in PostgreSQL, MariaDB or SQLite, for handlers that write to that database: the
 * message's id commits together with the handler's writes, so a redelivered message is a duplicate.
 * Each consumer has its own ids: each handles every message once.
 *
 * <p>Ids are kept for ever unless {@link InboxOperations#purge} deletes old ones, or {@link
 * #partitions} drops them; see there for the cost.
 *
 * <p>The store created or checked the tables when it was opened. A crash leaves either both an id
 * and its effect, or neither. Safe for many threads; many processes share the tables. Closing the
 * inbox does not close the store.
 */
public final class JdbcInbox implements Inbox, AutoCloseable {
  private static final String SAVEPOINT = "SAVEPOINT semel_handle";
  private static final String RELEASE = "RELEASE SAVEPOINT semel_handle";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT semel_handle";

  private final InboxEngine engine;

  private JdbcInbox(InboxEngine engine) {
    this.engine = engine;
  }

  /** Uses one connection from the PostgreSQL store's source per transaction. */
  public static JdbcInbox on(PostgresStore store) {
    return new JdbcInbox(store.inbox());
  }

  /** Uses one connection from the MariaDB store's source per transaction. */
  public static JdbcInbox on(MariaDbStore store) {
    return new JdbcInbox(store.inbox());
  }

  /** Uses one connection to the SQLite file for all handlers, which must not call the store. */
  public static JdbcInbox on(SqliteStore store) {
    return new JdbcInbox(new SqliteInbox(store));
  }

  @Override
  public HandleResult handle(
      Connection connection, String consumer, Message message, MessageHandler handler)
      throws Exception {
    String name = checked(consumer);
    StatementCache db = new StatementCache(connection);
    try {
      if (connection.getAutoCommit()) {
        throw new IllegalStateException(
            "the connection commits by itself, so the id and the effect could part: turn automatic commits off before the message is handled, and commit after it");
      }
      HandlerCall.execute(connection, SAVEPOINT);
      InboxIds.Mark mark = engine.mark(name, InboxIds.DONE);
      InboxIds.Recorded recorded = engine.ids().record(db, mark, List.of(message.id()));
      boolean fresh = !recorded.fresh().isEmpty();
      if (fresh) {
        run(connection, message, handler);
      }
      HandlerCall.execute(connection, RELEASE);
      if (!recorded.tooOld().isEmpty()) {
        throw recorded.refusal(message.id());
      }
      return fresh ? new HandleResult.Done() : new HandleResult.Duplicate();
    } catch (SQLException e) {
      throw engine.faults().of("the message was not handled, roll back", e);
    } finally {
      db.closeStatements();
    }
  }

  private static void run(Connection connection, Message message, MessageHandler handler)
      throws Exception {
    boolean done = false;
    try {
      message.origin().<Exception>run(() -> handler.handle(connection, message));
      done = true;
    } finally {
      if (!done) {
        undo(connection);
      }
    }
  }

  /** A lost savepoint means a lost transaction: its writes are already undone. */
  private static void undo(Connection connection) {
    try {
      HandlerCall.execute(connection, UNDO);
      HandlerCall.execute(connection, RELEASE);
    } catch (SQLException e) {
      // The handler's exception says more.
    }
  }

  /**
   * As {@link Inbox#consumerInbox}. When the answer to a commit is lost, {@link ConsumerInbox#take}
   * throws. Hand the messages in again: those that took effect are then duplicates.
   */
  @Override
  public ConsumerInbox consumerInbox(String consumer, MessageHandler handler) {
    return new TransactionalConsumerInbox(engine, checked(consumer), handler);
  }

  /**
   * Handles messages whose effects are outside the database; the mode chooses between losing an
   * effect and leaving it in doubt.
   */
  public ConsumerInbox outside(String consumer, OutsideHandler handler, OutsideMode mode) {
    return new OutsideConsumerInbox(engine, checked(consumer), handler, mode);
  }

  /**
   * Stores each message once without handling it, so that the broker may forget it: done means
   * stored. An {@link InboxWorker} handles them later.
   */
  public ConsumerInbox storing(String consumer) {
    String name = checked(consumer);
    String insert = StoredMessages.insert(engine.clock());
    return new TransactionalConsumerInbox(
        engine,
        name,
        (connection, message) -> {
          try (PreparedStatement statement = connection.prepareStatement(insert)) {
            RecordRows.bind(statement, StoredMessages.values(name, message, engine.offset()));
            statement.executeUpdate();
          }
        });
  }

  /** A worker that handles the consumer's stored messages; start it, or call it turn by turn. */
  public InboxWorker worker(String consumer, MessageHandler handler, InboxWorkerSettings settings) {
    return new InboxWorker(engine, checked(consumer), handler, settings);
  }

  /**
   * The consumers' positions in logs, to subscribe with. They move in the same transaction as the
   * effects of {@link #consumerInbox} and {@link #storing}, and after those of {@link #outside}.
   */
  @Override
  public ConsumerPositions positions() {
    return engine.positions();
  }

  /**
   * Moves positions in the caller's transaction, so that they commit together with what {@link
   * #handle} wrote there.
   *
   * @throws dev.semel.transport.spi.PositionMoved the consumer's position is another one: roll back
   * @throws StoreException when the database is unreachable: roll back
   */
  public void advance(Connection connection, String consumer, List<LogPosition> steps) {
    StatementCache db = new StatementCache(connection);
    try {
      engine.positions().advance(db, checked(consumer), steps);
    } catch (SQLException e) {
      throw engine.faults().of("the consumer's position was not moved, roll back", e);
    } finally {
      db.closeStatements();
    }
  }

  /**
   * Drops old ids by whole table partitions instead of row by row: see {@link InboxPartitions}.
   * Works only on PostgreSQL and only for UUIDv7 ids, such as those of the outbox.
   *
   * @throws InvalidInput the database is not PostgreSQL
   */
  public InboxPartitions partitions(InboxPartitionSettings settings) {
    return partitions(settings, 0);
  }

  /**
   * As {@link #partitions(InboxPartitionSettings)}, with the clock shifted by an offset, for tests.
   */
  InboxPartitions partitions(InboxPartitionSettings settings, long offset) {
    if (!engine.canPartition()) {
      throw new InvalidInput(
          "only an inbox on PostgreSQL can be partitioned: here, delete old ids with purge");
    }
    return new InboxPartitions(engine, settings, offset);
  }

  @Override
  public InboxOperations operations() {
    return new SqlInboxOperations(engine);
  }

  private static String checked(String consumer) {
    return new Operation(consumer).name();
  }

  /** Closes the inbox's connections once their current users have finished. */
  @Override
  public void close() {
    engine.close();
  }
}
