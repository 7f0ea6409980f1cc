package dev.semel.cli.demo;

import dev.semel.cli.demo.Demo.Ending;
import dev.semel.cli.demo.Demo.Side;
import dev.semel.inbox.Handled;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.json.Json;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A shop whose process dies between its commit and the publish, and once more between the publish
 * and the note that it was published. A killed process leaves what it committed and nothing else,
 * so here it is one that stops there: the next one opens the database anew.
 */
final class OutboxCrash {
  private static final String CREATE_ORDERS = "CREATE TABLE IF NOT EXISTS orders (item TEXT)";
  private static final String CREATE_PARCELS = "CREATE TABLE IF NOT EXISTS parcels (item TEXT)";
  private static final String ORDER = "INSERT INTO orders VALUES ('a lamp')";
  private static final String SHIP = "INSERT INTO parcels VALUES ('a lamp')";

  /** Nothing here takes long; a database that hangs must not hang the demo. */
  private static final int LIMIT_SECONDS = 30;

  private static final RelaySettings SETTINGS =
      RelaySettings.defaults().withPoll(Duration.ofMillis(10));

  private final Narrator narrator;
  private final Path file;
  private final PlainShop without;
  private final Broker broker = new Broker();
  private final Message message = Message.of("orders", "a lamp").withType("order-created");

  private OutboxCrash(Path folder, Narrator narrator) {
    this.narrator = narrator;
    this.file = folder.resolve("with.db");
    this.without = new PlainShop(folder.resolve("without.db"));
  }

  static Ending play(Path folder, Narrator narrator) throws InterruptedException {
    try {
      return new OutboxCrash(folder, narrator).play();
    } catch (SQLException e) {
      throw new IllegalStateException("the demo's database failed", e);
    }
  }

  private Ending play() throws InterruptedException, SQLException {
    narrator.aside("A warehouse sends a parcel for every order that the shop tells it of.");
    narrator.step("A customer orders. The shop is killed between commit and publish.");
    without.order();
    order();
    narrator.beside(
        "%s, %s".formatted(orders(without.orders()), sent(without.sent())),
        "%s, %s, %d in the outbox".formatted(orders(orders()), sent(sent()), waiting()));
    narrator.aside("The outbox is a table: order and message were committed together.");
    narrator.step("It is started again, and killed after a publish, before the answer.");
    relay(true);
    narrator.beside(
        "nothing is left to send: " + sent(without.sent()),
        "the relay: %s, %d in the outbox".formatted(sent(sent()), waiting()));
    narrator.step("“Where is my lamp?” The shop is started once more.");
    without.sendByHand();
    without.sendByHand();
    relay(false);
    narrator.beside(
        "by hand, no answer, again: " + sent(without.sent()),
        "the relay: %s, %d in the outbox".formatted(sent(sent()), waiting()));
    narrator.aside("Nobody can know whether a publish without an answer arrived.");
    narrator.step("The warehouse hears what was sent.");
    without.ship();
    List<Handled> handled = ship();
    narrator.beside(parcels(without.parcels()), told(handled));
    narrator.aside("The inbox commits the message's id with the parcel, and so knows it again.");
    Side with = side(orders(), sent(), parcels());
    boolean once = orders() == 1 && parcels() == 1 && waiting() == 0;
    return new Ending(
        "In the end:",
        side(without.orders(), without.sent(), without.parcels()),
        with,
        once,
        Optional.empty());
  }

  /** One of the shop's processes, or the warehouse's. */
  private SqliteStore start() {
    return SqliteStore.open(file, InstantSource.system());
  }

  private static JdbcOutbox outbox(SqliteStore store) {
    return JdbcOutbox.on(store, OutboxSettings.defaults());
  }

  private void order() throws SQLException {
    try (SqliteStore store = start();
        JdbcOutbox outbox = outbox(store)) {
      outbox.<Integer, SQLException>executeWithOutbox(
          connection -> {
            PlainShop.execute(connection, CREATE_ORDERS);
            PlainShop.execute(connection, ORDER);
            return 1;
          },
          message);
    }
  }

  /** One that does not die notes what it has sent before it is closed. */
  private void relay(boolean dies) throws InterruptedException {
    Broker.Way way = broker.way(dies);
    try (SqliteStore store = start();
        JdbcOutbox outbox = outbox(store);
        Relay relay = Relay.start(outbox.store(), way, SETTINGS)) {
      relay.wake();
      await(way.used());
    }
  }

  private List<Handled> ship() {
    try (SqliteStore store = start();
        JdbcInbox inbox = JdbcInbox.on(store)) {
      return inbox
          .intake(
              "warehouse",
              (Connection connection, Message heard) -> {
                PlainShop.execute(connection, CREATE_PARCELS);
                PlainShop.execute(connection, SHIP);
              })
          .take(broker.messages());
    }
  }

  private int sent() {
    return broker.messages().size();
  }

  private long waiting() {
    try (SqliteStore store = start();
        JdbcOutbox outbox = outbox(store)) {
      return outbox.operations().status().pending();
    }
  }

  private int orders() throws SQLException {
    return PlainShop.count(file, "orders");
  }

  private int parcels() throws SQLException {
    return PlainShop.count(file, "parcels");
  }

  private static String told(List<Handled> handled) {
    long done = handled.stream().filter(Handled.Done.class::isInstance).count();
    long duplicates = handled.stream().filter(Handled.Duplicate.class::isInstance).count();
    return "%s, %d dropped".formatted(parcels(done), duplicates);
  }

  private static Side side(int orders, int messages, int parcels) {
    return new Side(
        "%s, %s, %s".formatted(orders(orders), messages(messages), parcels(parcels)),
        Json.object()
            .with("orders", orders)
            .with("messages", messages)
            .with("effects", parcels)
            .build());
  }

  private static String orders(long count) {
    return count == 1 ? "1 order" : count + " orders";
  }

  private static String messages(long count) {
    return count == 1 ? "1 message" : count + " messages";
  }

  private static String sent(long count) {
    return count + " sent";
  }

  private static String parcels(long count) {
    return count == 1 ? "1 parcel" : count + " parcels";
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the demo is stuck");
    }
  }
}
