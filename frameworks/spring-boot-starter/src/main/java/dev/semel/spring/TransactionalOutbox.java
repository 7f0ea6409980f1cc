package dev.semel.spring;

import dev.semel.jdbc.JdbcOutbox;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.spring.internal.BoundConnections;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transactional outbox: messages commit together with the current Spring transaction, or not at
 * all. The commit wakes this process's relay; messages that a crash leaves in the table are
 * published by the next relay.
 */
public final class TransactionalOutbox implements AutoCloseable {
  private final Optional<JdbcOutbox> outbox;
  private final BoundConnections connections;
  private final String product;
  private final UnaryOperator<Message> observing;

  /**
   * An outbox in the database of these connections.
   *
   * @param outbox empty: this kind of database has none, and every use fails with a message that
   *     says so
   * @param observing sees each new message, and may change how it is added
   */
  TransactionalOutbox(
      Optional<JdbcOutbox> outbox,
      BoundConnections connections,
      String product,
      UnaryOperator<Message> observing) {
    this.outbox = outbox;
    this.connections = connections;
    this.product = product;
    this.observing = observing;
  }

  /**
   * Adds messages in the current transaction.
   *
   * @throws IllegalStateException there is no transaction
   */
  public void add(Message... messages) {
    add(List.of(messages));
  }

  /**
   * Adds a list of messages in the current transaction.
   *
   * @throws IllegalStateException there is no transaction
   */
  public void add(List<Message> messages) {
    JdbcOutbox there = unbound();
    Connection connection = connections.required("TransactionalOutbox.add");
    there.add(connection, messages.stream().map(observing).toList());
    ringAfterCommit(there);
  }

  /** Wakes the relay once per transaction, however many messages it adds. */
  private static void ringAfterCommit(JdbcOutbox outbox) {
    boolean known =
        TransactionSynchronizationManager.getSynchronizations().stream()
            .anyMatch(each -> each instanceof Ringing ringing && ringing.outbox == outbox);
    if (!known) {
      TransactionSynchronizationManager.registerSynchronization(new Ringing(outbox));
    }
  }

  private record Ringing(JdbcOutbox outbox) implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      outbox.ring();
    }
  }

  /** The outbox without Spring's transactions, for operators, relays and other transactions. */
  public JdbcOutbox unbound() {
    return outbox.orElseThrow(
        () ->
            new IllegalStateException(
                "there is no outbox on a database of the kind %s: use PostgreSQL or MariaDB"
                    .formatted(product)));
  }

  Optional<OutboxOperations> operations() {
    return outbox.map(JdbcOutbox::operations);
  }

  @Override
  public void close() {
    outbox.ifPresent(JdbcOutbox::close);
  }
}
