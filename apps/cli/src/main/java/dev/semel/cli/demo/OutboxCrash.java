package dev.semel.cli.demo;

import dev.semel.cli.demo.DemoStories.Ending;
import dev.semel.cli.demo.DemoStories.Side;
import dev.semel.inbox.HandleResult;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.SqliteStore;
import dev.semel.json.Json;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Story: a shop whose process is killed between its commit and the publish, and once more between
 * the publish and the note that it was published. The shop is a separate process, and it gets a
 * real {@code kill -9}; this process has the broker, which survives, and the warehouse.
 */
final class OutboxCrash {
  private static final String CREATE_PARCELS = "CREATE TABLE IF NOT EXISTS parcels (item TEXT)";
  private static final String SHIP = "INSERT INTO parcels VALUES ('a lamp')";

  private final Narrator narrator;
  private final Path folder;
  private final PlainShop without;

  /** The broker's messages: it accepts duplicates, as most brokers do. */
  private final List<Message> messages = new ArrayList<>();

  private int messagesWithout;

  private OutboxCrash(Path folder, Narrator narrator) {
    this.narrator = narrator;
    this.folder = folder;
    this.without = new PlainShop(OutboxShop.fileWithout(folder));
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
    long pid = dieAfterCommit();
    narrator.beside(
        "%s, %s".formatted(orders(without.orders()), sent(messagesWithout)),
        "%s, %s, %d in the outbox".formatted(orders(orders()), sent(messages.size()), waiting()));
    narrator.aside("kill -9 %d. Order and message were committed together.".formatted(pid));
    narrator.step("It is started again, and killed after a publish, before the answer.");
    pid = dieAfterPublish();
    narrator.beside(
        "a clerk, by hand: " + sent(messagesWithout),
        "the relay: %s, %d in the outbox".formatted(sent(messages.size()), waiting()));
    narrator.aside("kill -9 %d. Nobody there can know whether it arrived.".formatted(pid));
    narrator.step("“Where is my lamp?” The shop is started once more.");
    send();
    narrator.beside(
        "the clerk, once more: " + sent(messagesWithout),
        "the relay: %s, %d in the outbox".formatted(sent(messages.size()), waiting()));
    narrator.aside("The relay sends it with the same id as before.");
    narrator.step("The warehouse hears what was sent.");
    without.ship(messagesWithout);
    List<HandleResult> handled = ship();
    narrator.beside(parcels(without.parcels()), told(handled));
    narrator.aside("The inbox commits the message's id with the parcel, and so knows it again.");
    boolean once = orders() == 1 && parcels() == 1 && waiting() == 0;
    return new Ending(
        "In the end:",
        side(without.orders(), messagesWithout, without.parcels()),
        side(orders(), messages.size(), parcels()),
        once,
        Optional.empty());
  }

  private ChildProcess process(OutboxShop.Task task) {
    return ChildProcess.start(OutboxShop.class, folder, task.name(), folder.toString());
  }

  private long dieAfterCommit() throws InterruptedException {
    try (ChildProcess shop = process(OutboxShop.Task.ORDER)) {
      requireSaid(shop.hear().equals(OutboxShop.COMMITTED));
      shop.kill();
      return shop.pid();
    }
  }

  /** The broker gets a message of each side, and answers neither. */
  private long dieAfterPublish() throws InterruptedException {
    try (ChildProcess shop = process(OutboxShop.Task.SEND)) {
      take(shop.hear());
      take(shop.hear());
      shop.kill();
      return shop.pid();
    }
  }

  private void send() throws InterruptedException {
    try (ChildProcess shop = process(OutboxShop.Task.SEND)) {
      shop.tell(take(shop.hear()));
      shop.tell(take(shop.hear()));
      shop.awaitEnd();
    }
  }

  /** Returns which side sent it. */
  private String take(String line) {
    if (line.equals(OutboxShop.WITHOUT)) {
      messagesWithout++;
      return OutboxShop.WITHOUT;
    }
    requireSaid(line.startsWith(OutboxShop.WITH + " "));
    messages.add(OutboxShop.message().withId(line.substring(OutboxShop.WITH.length() + 1)));
    return OutboxShop.WITH;
  }

  private static void requireSaid(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("the demo's shop says something else than it should");
    }
  }

  private List<HandleResult> ship() {
    try (SqliteStore store = OutboxShop.open(folder);
        JdbcInbox inbox = JdbcInbox.on(store)) {
      return inbox
          .consumerInbox(
              "warehouse",
              (Connection connection, Message heard) -> {
                PlainShop.execute(connection, CREATE_PARCELS);
                PlainShop.execute(connection, SHIP);
              })
          .take(messages);
    }
  }

  private long waiting() {
    try (SqliteStore store = OutboxShop.open(folder);
        JdbcOutbox outbox = OutboxShop.outbox(store)) {
      return outbox.operations().status().pending();
    }
  }

  private int orders() throws SQLException {
    return PlainShop.count(OutboxShop.fileWith(folder), "orders");
  }

  private int parcels() throws SQLException {
    return PlainShop.count(OutboxShop.fileWith(folder), "parcels");
  }

  private static String told(List<HandleResult> handled) {
    long done = handled.stream().filter(HandleResult.Done.class::isInstance).count();
    long duplicates = handled.stream().filter(HandleResult.Duplicate.class::isInstance).count();
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
}
