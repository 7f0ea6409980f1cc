package dev.semel.cli;

import static dev.semel.outbox.spi.OutboxStore.PARTITIONS;

import dev.semel.inbox.MessageRejected;
import dev.semel.jdbc.InboxWorker;
import dev.semel.jdbc.InboxWorkerSettings;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.OutsideMode;
import dev.semel.jdbc.SqliteStore;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** An application's database, as its processes left it. */
public final class Shop implements AutoCloseable {
  private static final String RELAY = "relay-of-the-shop";
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final SqliteStore store;
  private final JdbcOutbox outbox;
  private final JdbcInbox inbox;

  private Shop(Path file, InstantSource clock) {
    store = SqliteStore.open(file, clock);
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults().withKeepHistory(Duration.ofDays(1)));
    inbox = JdbcInbox.on(store);
  }

  public static Shop open(Path file) {
    return new Shop(file, InstantSource.system());
  }

  /** Makes it older by this time. */
  public static Shop before(Path file, Duration age) {
    return new Shop(file, () -> InstantSource.system().instant().minus(age));
  }

  /** Adds an order and its message with the same id. */
  public Shop order(String id) throws SQLException {
    outbox.executeWithOutbox(
        connection -> {
          execute(connection, "CREATE TABLE IF NOT EXISTS orders (id TEXT NOT NULL)");
          execute(connection, "INSERT INTO orders VALUES ('" + id + "')");
          return id;
        },
        Message.of("orders", "{}").withId(id).withType("order-created").withOrderingKey("ann"));
    return this;
  }

  /** Adds an order and a message whose id derives from the order's. */
  public Shop namedOrder(String name) throws SQLException {
    outbox.executeWithOutbox(
        connection -> {
          execute(connection, "INSERT INTO orders VALUES ('" + name + "')");
          return name;
        },
        Message.of("orders", "{}").withIdOf(name));
    return this;
  }

  /** Adds a message to another destination. */
  public Shop tell(String destination, String id) {
    outbox.executeWithOutbox(
        connection -> id, Message.of(destination, "to " + destination).withId(id));
    return this;
  }

  /** Adds an order without its message. */
  public Shop orderWithoutMessage(String id) throws SQLException {
    outbox.executeWithMessages(
        connection -> {
          execute(connection, "INSERT INTO orders VALUES ('" + id + "')");
          return List.of();
        });
    return this;
  }

  /** Makes the broker accept all pending messages. */
  public Shop publish() {
    outbox.store().published(waiting());
    return this;
  }

  /** Makes the broker refuse all pending messages for good. */
  public Shop bury(String reason) {
    for (OutboxEntry each : waiting()) {
      outbox.store().bury(RELAY, each, reason);
    }
    outbox.store().leave(RELAY);
    return this;
  }

  /** Adds a relay that lives for ten seconds more. */
  public Shop relay() {
    outbox.store().heartbeat(RELAY, LEASE, RelayCounts.NONE);
    return this;
  }

  private List<OutboxEntry> waiting() {
    OutboxStore relayed = outbox.store();
    relayed.heartbeat(RELAY, LEASE, RelayCounts.NONE);
    List<OutboxEntry> waiting =
        relayed.read(
            IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new ReadRange(partition, 0, Set.of(), Set.of()))
                .toList(),
            100);
    return waiting;
  }

  /** Lets a message take effect. */
  public Shop handle(String consumer, String id) {
    inbox.consumerInbox(consumer, (connection, message) -> {}).take(List.of(message(id)));
    return this;
  }

  /** Stores a message, which waits. */
  public Shop keep(String consumer, String id) {
    inbox.storing(consumer).take(List.of(message(id)));
    return this;
  }

  /** Refuses every stored message for good. */
  public Shop reject(String consumer) {
    InboxWorker worker =
        inbox.worker(
            consumer,
            (connection, message) -> {
              throw new MessageRejected("no such customer");
            },
            InboxWorkerSettings.defaults());
    while (worker.runOnce()) {
      // until nothing is due
    }
    return this;
  }

  /** Begins a message outside the database, whose process then dies. */
  public Shop doubt(String consumer, String id) {
    try {
      inbox
          .outside(
              consumer,
              message -> {
                throw new StackOverflowError("the process dies here");
              },
              OutsideMode.IN_DOUBT)
          .take(List.of(message(id)));
    } catch (StackOverflowError e) {
      // Simulates the process's death.
    }
    return this;
  }

  private static Message message(String id) {
    return Message.of("orders", "{}").withId(id);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    inbox.close();
    outbox.close();
    store.close();
  }
}
