package dev.semel.benchmarks.messages;

import dev.semel.benchmarks.growth.Figures;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.MessageHandler;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures growing numbers of consumers with one name: they share the partitions, and every message
 * takes effect once.
 */
final class ConsumerGrowth {
  static final int PARTITIONS = 16;
  private static final int BATCH = 100;
  private static final String SERIES = "consumers from JetStream";

  private final Figures figures;
  private final RacedBroker broker;
  private final JdbcInbox inbox;

  ConsumerGrowth(Figures figures, RacedBroker broker, JdbcInbox inbox) {
    this.figures = figures;
    this.broker = broker;
    this.inbox = inbox;
  }

  /**
   * Updates the account of the message's key: one consumer gets all messages of a key, so none
   * waits for a row.
   */
  private static void update(Connection connection, Message message) throws SQLException {
    BareInbox.update(connection, Integer.parseInt(message.orderingKey().substring(1)));
  }

  void grow(int size, int count, int perSecond, Duration steady) throws Exception {
    String full = broker.freshDestination();
    publish(full, count);
    long started = System.nanoTime();
    try (Consumers consumers =
        new Consumers(size, full, (connection, message) -> update(connection, message))) {
      consumers.await(count);
      figures.put("messages/s", SERIES, size, count * 1e9 / (System.nanoTime() - started));
    }
    String calm = broker.freshDestination();
    Lags lags = new Lags(broker.transport());
    try (Consumers consumers =
        new Consumers(
            size,
            calm,
            (connection, message) -> {
              lags.arrived(message);
              update(connection, message);
            })) {
      consumers.await(
          Lags.steadily(
              perSecond,
              steady,
              number ->
                  broker
                      .transport()
                      .publish(Lags.stamped(calm, number))
                      .toCompletableFuture()
                      .join()));
    }
    figures
        .put("lag p50 ms", SERIES, size, lags.part(0.5))
        .put("lag p99 ms", SERIES, size, lags.part(0.99));
  }

  /** Publishes by the transport, which spreads the messages over the partitions. */
  private void publish(String destination, int count) {
    List<Message> messages = TransportRace.messages(destination, count);
    for (int i = 0; i < count; i += TransportRace.BATCH) {
      messages.subList(i, Math.min(count, i + TransportRace.BATCH)).stream()
          .map(message -> broker.transport().publish(message).toCompletableFuture())
          .toList()
          .forEach(answer -> answer.join());
    }
  }

  private final class Consumers implements AutoCloseable {
    private final List<MessageConsumer> all = new ArrayList<>();

    Consumers(int size, String destination, MessageHandler handler) {
      String name = "grown-" + size + "-" + destination.replaceAll("[^a-z0-9]", "");
      for (int i = 0; i < size; i++) {
        all.add(
            MessageConsumer.start(
                name,
                broker
                    .transport()
                    .subscribe(destination, name, SubscribeSettings.defaults(), inbox.positions()),
                inbox.consumerInbox(name, handler),
                DeadLetters.to(broker.transport(), destination),
                ConsumerSettings.defaults().withBatch(BATCH)));
      }
    }

    void await(int count) throws InterruptedException {
      while (all.stream().mapToLong(consumer -> consumer.counts().done()).sum() < count) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }

    @Override
    public void close() {
      all.forEach(MessageConsumer::close);
    }
  }
}
