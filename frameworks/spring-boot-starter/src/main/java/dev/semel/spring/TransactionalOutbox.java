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
 * Messages that commit together with the Spring transaction that runs, or not at all. After the
 * commit the relay of this process is woken; what a crash leaves in the table the next relay sends.
 */
public final class TransactionalOutbox implements AutoCloseable {
  private final Optional<JdbcOutbox> outbox;
  private final BoundConnections connections;
  private final String product;
  private final UnaryOperator<Message> observing;

  /**
   * In the database of these connections.
   *
   * @param outbox empty: this kind of database has none, and who uses it is told so
   * @param observing hears of each message that is created, and says how it is added
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
   * Adds in the running transaction.
   *
   * @throws IllegalStateException there is none
   */
  public void add(Message... messages) {
    add(List.of(messages));
  }

  /** The same for any number of them. */
  public void add(List<Message> messages) {
    JdbcOutbox there = unbound();
    Connection connection = connections.required("TransactionalOutbox.add");
    there.add(connection, messages.stream().map(observing).toList());
    ringAfterCommit(there);
  }

  /** Once for each transaction, however much is added. */
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

  /** For operators and relays, and for transactions without Spring. */
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
