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

/** Messages that take effect once, in the Spring transaction that runs. */
public final class TransactionalInbox implements AutoCloseable {
  private final Optional<JdbcInbox> inbox;
  private final BoundConnections connections;
  private final String product;

  /**
   * In the database of these connections.
   *
   * @param inbox empty: this kind of database has none, and who uses it is told so
   */
  TransactionalInbox(Optional<JdbcInbox> inbox, BoundConnections connections, String product) {
    this.inbox = inbox;
    this.connections = connections;
    this.product = product;
  }

  /**
   * Lets one message take effect in the running transaction; its id is there if that commits. What
   * the handler throws is thrown on: roll back then, as {@code @Transactional} does for unchecked
   * exceptions.
   *
   * @return done or duplicate; it is true once the transaction has committed
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

  /** For operators, and for transactions without Spring. */
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
