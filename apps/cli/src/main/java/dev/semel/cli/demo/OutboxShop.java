package dev.semel.cli.demo;

import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One process of the shop, with an outbox and without one at the same time, so that both are killed
 * at the same moment. Its parent process is the broker: published messages go out by standard
 * output, and the broker's answers come by standard input. It ends with its parent.
 */
final class OutboxShop {
  /** Line: the order is committed on both sides, and the process would publish now. */
  static final String COMMITTED = "committed";

  /** Line with a message's id behind it, and the answer when the broker has the message. */
  static final String WITH = "with";

  /** Line for the side without an outbox, whose messages have no id. */
  static final String WITHOUT = "without";

  /** A short lease, because the next relay waits until the lease of the killed one ends. */
  private static final RelaySettings SETTINGS =
      RelaySettings.defaults().withPoll(Duration.ofMillis(10)).withLease(Duration.ofSeconds(1));

  private static final BufferedReader IN =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private OutboxShop() {}

  /** Task of a process. */
  enum Task {
    /** A customer orders: commit, and then publish. */
    ORDER,
    /** Send all pending messages. */
    SEND
  }

  public static void main(String[] args) throws IOException, SQLException {
    Path folder = Path.of(args[1]);
    switch (Task.valueOf(args[0])) {
      case ORDER -> order(folder);
      case SEND -> send(folder);
    }
  }

  static Path fileWith(Path folder) {
    return folder.resolve("with.db");
  }

  static Path fileWithout(Path folder) {
    return folder.resolve("without.db");
  }

  static SqliteStore open(Path folder) {
    return SqliteStore.open(fileWith(folder), InstantSource.system());
  }

  static JdbcOutbox outbox(SqliteStore store) {
    return JdbcOutbox.on(store, OutboxSettings.defaults());
  }

  static Message message() {
    return Message.of("orders", "a lamp").withType("order-created");
  }

  private static void order(Path folder) throws IOException, SQLException {
    new PlainShop(fileWithout(folder)).order();
    try (SqliteStore store = open(folder);
        JdbcOutbox outbox = outbox(store)) {
      outbox.<Boolean, SQLException>executeWithOutbox(
          connection -> {
            PlainShop.execute(connection, "CREATE TABLE orders (item TEXT)");
            PlainShop.execute(connection, "INSERT INTO orders VALUES ('a lamp')");
            return true;
          },
          message());
      OUT.println(COMMITTED);
      String unused = IN.readLine(); // the process is killed here
    }
  }

  /** The relay knows what to send. The other side needs a person to tell it. */
  private static void send(Path folder) throws IOException {
    OUT.println(WITHOUT);
    Way way = new Way();
    try (SqliteStore store = open(folder);
        JdbcOutbox outbox = outbox(store);
        Relay relay = Relay.start(outbox.store(), way, SETTINGS)) {
      relay.wake();
      int answers = 0;
      for (String line = IN.readLine(); line != null; line = IN.readLine()) {
        if (line.equals(WITH)) {
          way.confirm();
        }
        if (++answers == 2) {
          return; // the relay marks confirmed messages before it is closed
        }
      }
    }
  }

  /** The way to the broker, with one message under way. */
  private static final class Way implements Transport {
    private final CompletableFuture<PublishResult> answer = new CompletableFuture<>();

    void confirm() {
      answer.complete(new PublishResult(false, ""));
    }

    @Override
    public String describe() {
      return "the demo's broker";
    }

    @Override
    public CompletionStage<PublishResult> publish(Message message) {
      OUT.println(WITH + " " + message.id());
      return answer;
    }

    @Override
    public boolean keepsOrder() {
      return false;
    }

    /** Unused: the warehouse reads the messages directly. */
    @Override
    public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
      throw new UnsupportedOperationException("the demo's broker has no subscriptions");
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
