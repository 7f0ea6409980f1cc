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
 * Messages that take effect once, in PostgreSQL, MariaDB or SQLite: a message's id is committed
 * together with what its handler wrote, so one that comes again is found to be a duplicate. Ids are
 * kept apart by consumer: each has every message once.
 *
 * <p>Ids are kept for ever unless {@link InboxOperations#purge} deletes old ones, or {@link
 * #partitions} drops them; what that costs is said there.
 *
 * <p>The tables are those of the store it is on, and were created or looked for when that was
 * opened. A crash leaves either both an id and its effect, or neither. Safe for many threads; many
 * processes share the tables. The store is not closed.
 */
public final class JdbcInbox implements Inbox, AutoCloseable {
  private static final String SAVEPOINT = "SAVEPOINT semel_handle";
  private static final String RELEASE = "RELEASE SAVEPOINT semel_handle";
  private static final String UNDO = "ROLLBACK TO SAVEPOINT semel_handle";

  private final InboxEngine engine;

  private JdbcInbox(InboxEngine engine) {
    this.engine = engine;
  }

  /** Each transaction takes a connection from the store's source for as long as it lasts. */
  public static JdbcInbox on(PostgresStore store) {
    return new JdbcInbox(store.inbox());
  }

  /** On MariaDB; each transaction takes a connection here too. */
  public static JdbcInbox on(MariaDbStore store) {
    return new JdbcInbox(store.inbox());
  }

  /** All handlers share one connection to the store's file, and must not call the store. */
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

  /** What can't be undone alone, because its transaction is gone, is undone with that. */
  private static void undo(Connection connection) {
    try {
      HandlerCall.execute(connection, UNDO);
      HandlerCall.execute(connection, RELEASE);
    } catch (SQLException e) {
      // What the handler threw tells more.
    }
  }

  /**
   * As {@link Inbox#consumerInbox}. When the answer to a commit was lost, {@link
   * ConsumerInbox#take} throws; whoever hands the messages in again, as it says, finds those that
   * took effect to be duplicates.
   */
  @Override
  public ConsumerInbox consumerInbox(String consumer, MessageHandler handler) {
    return new TransactionalConsumerInbox(engine, checked(consumer), handler);
  }

  /** Takes messages whose effects are outside the database; what that costs, the mode says. */
  public ConsumerInbox outside(String consumer, OutsideHandler handler, OutsideMode mode) {
    return new OutsideConsumerInbox(engine, checked(consumer), handler, mode);
  }

  /**
   * Takes messages by only storing them, each once, so that the broker may forget them: done means
   * stored. An {@link InboxWorker} lets them take effect.
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

  /** Handles what was stored for the consumer; to be started, or called turn by turn. */
  public InboxWorker worker(String consumer, MessageHandler handler, InboxWorkerSettings settings) {
    return new InboxWorker(engine, checked(consumer), handler, settings);
  }

  /**
   * Where consumers stand in logs, to subscribe with. They move in the same transaction as the
   * effects of {@link #consumerInbox} and {@link #storing}, and after those of {@link #outside}.
   */
  @Override
  public ConsumerPositions positions() {
    return engine.positions();
  }

  /**
   * Moves positions in the caller's transaction, together with what {@link #handle} did there.
   *
   * @throws dev.semel.transport.spi.PositionMoved the consumer does not stand there: roll back
   * @throws StoreException when the database can't be asked: roll back
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
   * Lets old ids be dropped by the partition instead of row by row: see {@link InboxPartitions}.
   * Only on PostgreSQL, and only ids that are a UUIDv7, as those of the outbox are.
   *
   * @throws InvalidInput it is another database
   */
  public InboxPartitions partitions(InboxPartitionSettings settings) {
    return partitions(settings, 0);
  }

  /** The same at another time. */
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

  /** Ends its own connections, and lets those at it finish. */
  @Override
  public void close() {
    engine.close();
  }
}
