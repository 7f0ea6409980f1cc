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
 * A transactional outbox in PostgreSQL, MariaDB or SQLite: messages commit together with the data
 * that they announce, or not at all. A relay publishes them to a broker later; when a process dies,
 * another relay continues.
 *
 * <p>Messages with the same ordering key are sent in the order in which they were added. When
 * concurrent transactions add to one key, let each first lock the row that its messages are about:
 * the order of the locks is then the order of the messages.
 *
 * <p>A message is identified by its id. Code that may run twice, such as a retried command, must
 * check in its transaction whether it already ran, or add its messages in a transaction of {@link
 * TransactionalIdempotency}.
 *
 * <p>A message that is added during an execution or a handler on this thread gets headers with its
 * origin, unless it has them: see {@link ExecutionOrigin}.
 *
 * <p>Safe for many threads. Closing the outbox does not close the store.
 */
public final class JdbcOutbox implements Outbox, AutoCloseable {
  /** The most missing messages that one audit lists. */
  public static final int MAX_AUDITED = 10_000;

  /** The most payload bytes sent to the database in one statement. */
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
   * An outbox in the store's PostgreSQL database. A relay on it keeps two of the source's
   * connections, and a third that listens for commits; writers keep none.
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

  /**
   * An outbox in the store's MariaDB database. Writers of other processes can't wake the relay
   * there, so it polls.
   */
  public static JdbcOutbox on(MariaDbStore store, OutboxSettings settings) {
    ServerStore server = store.server();
    return new JdbcOutbox(
        OutboxParts.onServer(
            server,
            new MariaDbOutbox(server.sessions().faults()),
            new CommitNotifier(null),
            settings));
  }

  /** An outbox in the store's SQLite file, which has one writer at a time. */
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

  /** Adds the origin of this thread's execution to messages that name none. */
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
   * As {@link #executeWithOutbox}, for logic that decides only while it runs which messages to
   * send; returns the added messages.
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
   * Finds lost messages: the expected ids for which the outbox has no message, neither pending, nor
   * dead, nor published and kept. At most {@link #MAX_AUDITED}.
   *
   * @param query selects the expected message ids in one column, from the time for which history is
   *     kept; runs read-only
   */
  public List<String> audit(String query) {
    requireHistory();
    return new OutboxAudit(parts).missing(query, MAX_AUDITED);
  }

  /**
   * As {@link #audit}, for ids derived from names ({@link Message#withIdOf}).
   *
   * @param query selects the names in one column
   * @return the names without a message
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
   * Adds the messages that an audit finds missing.
   *
   * @param rebuilding creates the message with that id; empty: don't send it
   * @return how many were added
   */
  public long rebuild(String query, Function<String, Optional<Message>> rebuilding) {
    return rebuild(query, rebuilding, SemelListener.NONE);
  }

  /**
   * Adds the messages that an audit finds missing, and notifies a listener of each one added.
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
   * The messages that an audit finds missing, built from the rows of a query with these columns:
   * {@code id} (or the {@code name} that the id derives from), {@code destination}, {@code
   * payload}, and optionally {@code ordering_key} and {@code type}. At most {@link #MAX_AUDITED};
   * nothing is added yet.
   */
  public List<Message> missing(String query) {
    requireHistory();
    return new OutboxAudit(parts).missingMessages(query, MAX_AUDITED);
  }

  /**
   * Adds missing messages.
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

  /** Closes the outbox's connections; its messages stay in the table. */
  @Override
  public void close() {
    store.close();
    parts.transactions().close();
  }
}
