package dev.semel.jdbc;

import dev.semel.ExecutionOrigin;
import dev.semel.InvalidInput;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.outbox.CommitNotifier;
import dev.semel.jdbc.internal.outbox.MariaDbOutbox;
import dev.semel.jdbc.internal.outbox.OutboxAudit;
import dev.semel.jdbc.internal.outbox.OutboxDialect;
import dev.semel.jdbc.internal.outbox.PayloadLimit;
import dev.semel.jdbc.internal.outbox.PostgresOutbox;
import dev.semel.jdbc.internal.outbox.SqlOutboxOperations;
import dev.semel.jdbc.internal.outbox.SqlOutboxStore;
import dev.semel.jdbc.internal.store.ServerStore;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.outbox.Outbox;
import dev.semel.outbox.OutboxWork;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Messages that commit together with what they tell of, or not at all. A relay takes them to a
 * broker later; what is in the table when a process dies is sent by the next one.
 *
 * <p>Messages with the same ordering key are sent in the order in which they were added. Where
 * transactions that add to the same key run at the same time, let each lock the row that the
 * messages tell of first: the order of their locks is the order of their messages then.
 *
 * <p>The id decides what is the same message. Whoever may do the same thing twice, such as a
 * command that is tried again, either looks in its transaction whether it was done, or adds in a
 * transaction of {@link TransactionalIdempotency}.
 *
 * <p>A message that is added while an execution runs or a message is handled on this thread says so
 * in its headers, unless they were given: see {@link ExecutionOrigin}.
 *
 * <p>Safe for many threads. The store is not closed.
 */
public final class JdbcOutbox implements Outbox, AutoCloseable {
  /** More missing messages than this are not listed at a time. */
  public static final int MAX_AUDITED = 10_000;

  /** Payloads that are sent to the database with one statement, together at most. */
  static final int MAX_BYTES_AT_ONCE = 4 << 20;

  private static final int REBUILT_AT_ONCE = 100;

  private final OutboxParts parts;
  private final SqlOutboxStore store;
  private final SqlOutboxOperations operations;

  private JdbcOutbox(OutboxParts parts) {
    this.parts = parts;
    this.store = new SqlOutboxStore(parts);
    this.operations = new SqlOutboxOperations(parts);
  }

  /**
   * In the store's database. A relay on it keeps two of its source's connections, and a third to be
   * rung on; writers keep none.
   */
  public static JdbcOutbox on(PostgresStore store, OutboxSettings settings) {
    ServerStore server = store.server();
    return new JdbcOutbox(
        OutboxParts.onServer(
            server,
            new PostgresOutbox(server.sessions().faults()),
            new CommitNotifier(server.sessions()),
            settings));
  }

  /** In a MariaDB database, where writers of other processes can't ring. */
  public static JdbcOutbox on(MariaDbStore store, OutboxSettings settings) {
    ServerStore server = store.server();
    return new JdbcOutbox(
        OutboxParts.onServer(
            server,
            new MariaDbOutbox(server.sessions().faults()),
            new CommitNotifier(null),
            settings));
  }

  /** In the store's file, which has one writer at a time. */
  public static JdbcOutbox on(SqliteStore store, OutboxSettings settings) {
    return new JdbcOutbox(OutboxParts.inFile(store, settings));
  }

  @Override
  public void add(Connection connection, List<Message> messages) {
    check(messages);
    try {
      if (connection.getAutoCommit()) {
        throw new InvalidInput(
            "the connection commits every statement by itself, so the messages would not belong to what they tell of: call setAutoCommit(false) first, and commit after both");
      }
      insert(connection, withOrigin(messages));
    } catch (SQLException e) {
      throw parts.sql().fault("the messages were not added", e);
    }
  }

  private void check(List<Message> messages) {
    messages.forEach(each -> PayloadLimit.check(parts.settings(), each.id(), each.payload()));
  }

  /** Of what runs on this thread, for those that don't say themselves what they follow from. */
  private static List<Message> withOrigin(List<Message> messages) {
    ExecutionOrigin origin = ExecutionOrigin.current();
    return origin.equals(ExecutionOrigin.NONE)
        ? messages
        : messages.stream().map(each -> each.following(origin)).toList();
  }

  private void insert(Connection connection, List<Message> messages) throws SQLException {
    List<Message> part = new ArrayList<>();
    long bytes = 0;
    for (Message message : messages) {
      if (part.size() == OutboxDialect.MAX_INSERTED_AT_ONCE
          || (!part.isEmpty() && bytes + message.bytes() > MAX_BYTES_AT_ONCE)) {
        parts.sql().insert(connection, part);
        part.clear();
        bytes = 0;
      }
      part.add(message);
      bytes += message.bytes();
    }
    if (!part.isEmpty()) {
      parts.sql().insert(connection, part);
    }
  }

  @Override
  public <T, X extends Exception> T executeWithOutbox(OutboxWork<T, X> logic, Message... messages)
      throws X {
    List<Message> given = List.of(messages);
    check(given);
    T result =
        parts
            .transactions()
            .<T, X>run(
                connection -> {
                  T value = logic.run(connection);
                  addWhereItRan(connection, given);
                  return value;
                });
    ring();
    return result;
  }

  /**
   * As {@link #executeWithOutbox}, for logic that finds out what there is to say: what was added.
   */
  public <X extends Exception> List<Message> executeWithMessages(OutboxWork<List<Message>, X> logic)
      throws X {
    List<Message> added =
        parts
            .transactions()
            .<List<Message>, X>run(
                connection -> {
                  List<Message> messages = withOrigin(logic.run(connection));
                  addWhereItRan(connection, messages);
                  return messages;
                });
    ring();
    return added;
  }

  private void addWhereItRan(Connection connection, List<Message> messages) {
    try {
      if (connection.isClosed() || connection.getAutoCommit()) {
        throw EngineTransactions.endedByWork();
      }
    } catch (SQLException e) {
      throw parts.sql().fault("the messages were not added", e);
    }
    add(connection, messages);
  }

  @Override
  public void ring() {
    parts.bells().ring();
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public OutboxOperations operations() {
    return operations;
  }

  /**
   * Compares what should have been told with what was: the ids for which there is no message, be it
   * in the queue, dead, or published and kept. At most {@link #MAX_AUDITED}.
   *
   * @param query selects in one column the ids of the messages that there should be, of a time for
   *     which history is kept; it runs read-only
   */
  public List<String> audit(String query) {
    requireHistory();
    return new OutboxAudit(parts).missing(query, MAX_AUDITED);
  }

  /**
   * As {@link #audit}, where ids were made of names ({@link Message#withIdOf}).
   *
   * @param query selects the names in one column
   * @return the names for whose ids there is no message
   */
  public List<String> auditNamed(String query) {
    requireHistory();
    return new OutboxAudit(parts).missingNames(query, MAX_AUDITED);
  }

  private void requireHistory() {
    if (!parts.settings().keepsHistory()) {
      throw new InvalidInput(
          "this outbox keeps no history, so what was published can't be told from what was never said: set keepHistory to longer than the time that is audited");
    }
  }

  /**
   * Adds what an audit finds missing.
   *
   * @param rebuilding makes the message with that id; empty: it is not to be sent
   * @return how many were added
   */
  public long rebuild(String query, Function<String, Optional<Message>> rebuilding) {
    return rebuild(query, rebuilding, SemelListener.NONE);
  }

  /**
   * Rebuilds as above, with a listener that hears of each message once it is there.
   *
   * @param listener such as {@code idempotency.listener()}
   */
  public long rebuild(
      String query, Function<String, Optional<Message>> rebuilding, SemelListener listener) {
    List<Message> rebuilt = new ArrayList<>();
    long added = 0;
    for (String id : audit(query)) {
      rebuilding.apply(id).map(message -> requireId(message, id)).ifPresent(rebuilt::add);
      if (rebuilt.size() == REBUILT_AT_ONCE) {
        added += add(rebuilt, listener);
        rebuilt.clear();
      }
    }
    return added + add(rebuilt, listener);
  }

  /**
   * The messages that an audit finds missing, made of the rows of a query with a column for each
   * part: {@code id} (or the {@code name} that the id is made of), {@code destination}, {@code
   * payload}, and where there are such {@code ordering_key} and {@code type}. At most {@link
   * #MAX_AUDITED}; nothing is added yet.
   */
  public List<Message> missing(String query) {
    requireHistory();
    return new OutboxAudit(parts).missingMessages(query, MAX_AUDITED);
  }

  /**
   * Adds messages that are missing.
   *
   * @param missing such as those of {@link #missing}
   * @return how many were added
   */
  public long rebuild(List<Message> missing, SemelListener listener) {
    long added = 0;
    for (int from = 0; from < missing.size(); from += REBUILT_AT_ONCE) {
      int until = Math.min(missing.size(), from + REBUILT_AT_ONCE);
      added += add(missing.subList(from, until), listener);
    }
    return added;
  }

  private long add(List<Message> rebuilt, SemelListener listener) {
    List<Message> added = executeWithMessages(connection -> List.copyOf(rebuilt));
    for (Message message : added) {
      String key = message.headers().getOrDefault(Message.SEMEL_KEY, "");
      listener.on(
          new Event.Rebuilt(new Event.Mention(message.id(), message.destination(), "", key)));
    }
    return added.size();
  }

  private static Message requireId(Message message, String id) {
    if (!message.id().equals(id)) {
      throw new InvalidInput(
          "the message that was rebuilt has the id %s instead of %s, so it would be missing for ever: use withId"
              .formatted(PrintableText.quoted(message.id()), PrintableText.quoted(id)));
    }
    return message;
  }

  /** Lets go of connections; what is in the table stays there. */
  @Override
  public void close() {
    store.close();
    parts.transactions().close();
  }
}
