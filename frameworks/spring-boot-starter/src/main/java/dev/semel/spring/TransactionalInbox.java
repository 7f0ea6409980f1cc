package dev.semel.spring;

import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.spring.internal.BoundConnections;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/**
 * An inbox for handlers that write in Spring transactions: messages take effect once, in the
 * current transaction.
 */
public final class TransactionalInbox implements AutoCloseable {
  private final Optional<JdbcInbox> inbox;
  private final BoundConnections connections;
  private final String product;

  /**
   * An inbox in the database of these connections.
   *
   * @param inbox empty: this kind of database has none, and every use fails with a message that
   *     says so
   */
  TransactionalInbox(Optional<JdbcInbox> inbox, BoundConnections connections, String product) {
    this.inbox = inbox;
    this.connections = connections;
    this.product = product;
  }

  /**
   * Handles one message in the current transaction, and records its id with it. The handler's
   * exceptions are rethrown: then roll back, as {@code @Transactional} does for unchecked
   * exceptions.
   *
   * @return done or duplicate; it holds only once the transaction has committed
   * @throws IllegalStateException there is no transaction
   */
  public HandleResult handle(String consumer, Message message, InboxHandler handler)
      throws Exception {
    return handle(consumer, message, List.of(), handler);
  }

  HandleResult handle(
      String consumer, Message message, List<LogPosition> moved, InboxHandler handler)
      throws Exception {
    JdbcInbox there = unbound();
    Connection connection = connections.required("TransactionalInbox.handle");
    HandleResult handled = there.handle(connection, consumer, message, (c, m) -> handler.handle(m));
    if (!moved.isEmpty()) {
      there.advance(connection, consumer, moved);
    }
    return handled;
  }

  /** The inbox without Spring's transactions, for operators and other transactions. */
  public JdbcInbox unbound() {
    return inbox.orElseThrow(
        () ->
            new IllegalStateException(
                "there is no inbox on a database of the kind %s: use PostgreSQL or MariaDB"
                    .formatted(product)));
  }

  Optional<InboxOperations> operations() {
    return inbox.map(JdbcInbox::operations);
  }

  @Override
  public void close() {
    inbox.ifPresent(JdbcInbox::close);
  }
}
