package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.fault.SupervisedProcess;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Entry point of a process of {@code semel prove --database}: a producer, a relay or a consumer. It
 * gets everything on standard input.
 */
public final class MessageWorker {
  /** Practically no limit: a dead letter would count as lost. */
  static final int ATTEMPTS = 100_000;

  static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private MessageWorker() {}

  /** Makes consumers of another kind possible. */
  @FunctionalInterface
  public interface Consuming {
    MessageConsumer start(WorkerOrders orders, JdbcInbox inbox, Transport transport);
  }

  public static void main(String[] args) throws IOException {
    run(MessageWorker::consumer);
  }

  public static void run(Consuming consuming) throws IOException {
    DriverLogs.off();
    SupervisedProcess self = new SupervisedProcess(System.in, System.out);
    WorkerOrders orders = self.orders();
    try (Store store = StoreUrls.open(orders.text("database"), Path.of("").toAbsolutePath());
        JdbcOutbox outbox = DatabaseOption.outbox(store)) {
      switch (orders.text("role")) {
        case "producer" -> produce(self, outbox);
        case "relay" -> relay(self, outbox);
        default -> consume(self, store, consuming);
      }
    }
    System.exit(0); // some drivers leave threads running
  }

  private static void produce(SupervisedProcess self, JdbcOutbox outbox) throws IOException {
    long unused = self.ready();
    try (MessageWriter writer = new MessageWriter(self.orders(), outbox)) {
      self.untilEnd(writer::written);
    }
  }

  private static void relay(SupervisedProcess self, JdbcOutbox outbox) throws IOException {
    ProofBroker broker = broker(self.orders());
    try (Transport transport = broker.connect()) {
      long unused = self.ready();
      RelaySettings settings =
          RelaySettings.defaults()
              .withLease(broker.lease())
              .withRetries(ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE);
      until(self, Relay.start(outbox.store(), transport, settings)::close);
    }
  }

  private static void consume(SupervisedProcess self, Store store, Consuming consuming)
      throws IOException {
    try (JdbcInbox inbox = DatabaseOption.inbox(store);
        Transport transport = broker(self.orders()).connect()) {
      long unused = self.ready();
      until(self, consuming.start(self.orders(), inbox, transport)::close);
    }
  }

  /** Waits for the end without a count, because only producers count. */
  private static void until(SupervisedProcess self, Runnable close) throws IOException {
    try {
      self.untilEnd(() -> 0);
    } finally {
      close.run();
    }
  }

  public static ProofBroker broker(WorkerOrders orders) {
    return new ProofBroker(orders.text("broker"), orders.text("run"), orders.text("token"));
  }

  private static MessageConsumer consumer(
      WorkerOrders orders, JdbcInbox inbox, Transport transport) {
    ProofBroker broker = broker(orders);
    return MessageConsumer.start(
        ProofBroker.CONSUMER,
        transport.subscribe(
            broker.destination(),
            ProofBroker.CONSUMER,
            SubscribeSettings.defaults().withAckWithin(broker.lease()),
            inbox.positions()),
        inbox.consumerInbox(
            ProofBroker.CONSUMER,
            (connection, message) -> effect(connection, message, orders.client())),
        DeadLetters.to(transport, broker.dead()),
        settings(broker));
  }

  public static ConsumerSettings settings(ProofBroker broker) {
    return ConsumerSettings.defaults()
        .withRetries(ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE)
        .withExtendEvery(broker.lease().dividedBy(3));
  }

  /** Inserts a row; an effect that happens twice has two rows. */
  public static void effect(Connection connection, Message message, String who) {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO prove_effect (id, who, at_nanos) VALUES (?, ?, ?)")) {
      statement.setString(1, message.id());
      statement.setString(2, who);
      statement.setLong(3, System.nanoTime());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new StoreException("the effect was not written", e);
    }
  }
}
