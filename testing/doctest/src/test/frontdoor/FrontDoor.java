import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.IdempotentFunction;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.OperationRules;
import dev.semel.idempotency.Outcome;
import dev.semel.job.CronSchedule;
import dev.semel.job.Job;
import dev.semel.transport.Message;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Everything that applications call, as an application calls it. FrontDoor.kt is the same in Kotlin. */
public class FrontDoor {
  static int charges;

  static String charge(String effectKey) {
    return "receipt " + ++charges;
  }

  static void chargeLater() throws IOException {
    throw new IOException("the bank is away");
  }

  static String insert(Connection connection, String item) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO orders (item) VALUES ('" + item + "')");
    }
    return "ordered " + item;
  }

  static Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:semel.db?busy_timeout=60000");
    connection.setAutoCommit(false);
    return connection;
  }

  static String said(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Executed<?> e -> "executed " + e.result();
      case Outcome.Replayed<?> r -> "replayed " + r.result();
      case Outcome.InFlight<?> f -> "in flight";
      case Outcome.Mismatch<?> m -> "mismatch";
      case Outcome.Failed<?> f -> "failed " + f.failure().message();
      case Outcome.InDoubt<?> d -> "in doubt";
    };
  }

  public static void main(String[] args) throws Exception {
    try (Semel semel = Semel.open("sqlite:semel.db")) {
      try (Connection connection = connect(); Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE orders (item TEXT)");
        connection.commit();
      }
      functions(semel);
      later(semel);
      keys(semel);
      transactions(semel);
      messages(semel);
      work(semel);
    }
  }

  static void functions(Semel semel) throws Exception {
    byte[] body = {1, 0};
    System.out.println(said(semel.once("payment", "order-123").request(body).run(it -> charge(it.effectKey()))));
    System.out.println(said(semel.once("payment", "order-123").request(body).run(it -> charge(it.effectKey()))));
    System.out.println(said(semel.once("payment", "order-123").request("other").run(it -> charge("none"))));
    System.out.println(said(semel.once("mail", "m-1").perform(it -> System.out.println("sending"))));
    System.out.println(semel.once("export", "e-1").returning(Codec.bytes()).run(it -> body).value().get().length);
    try {
      semel.once("payment", "order-124").call(it -> {
        chargeLater();
        return "never";
      });
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
    System.out.println(said(semel.once("payment", "order-124").waitUpTo(Duration.ofSeconds(1)).run(it -> charge("retry"))));
    System.out.println(said(semel.idempotency().execute(
        Key.of("payment", "order-125"), Fingerprint.NONE, Codec.utf8(), it -> charge(it.effectKey()))));
    IdempotentFunction<byte[], String> function = semel.idempotency().decorate(
        OperationRules.<byte[], String>of("refund", KeyStrategies.contentHash("order"), Codec.utf8()),
        (request, execution) -> charge(execution.effectKey()));
    System.out.println(said(function.apply("{\"order\":17}".getBytes())));
  }

  static void later(Semel semel) {
    System.out.println(semel.once("payment", "order-126")
        .runAsync(it -> CompletableFuture.supplyAsync(() -> charge(it.effectKey())))
        .thenApply(FrontDoor::said).toCompletableFuture().join());
  }

  static void keys(Semel semel) {
    Key seat = Key.of("seat", "12A");
    if (semel.reserve("seat", "12A") instanceof ClaimResult.Granted granted) {
      System.out.println("reserved " + semel.reservations().confirm(seat, granted.token()));
    }
    System.out.println(said(semel.once("withdrawal", "w-1").inSequence("user-4").run(it -> charge(it.effectKey()))));
    System.out.println(said(semel.sequence().execute(
        "user-4", ExecutionRequest.of(Key.of("withdrawal", "w-2"), Codec.utf8()), it -> charge(it.effectKey()))));
  }

  static void transactions(Semel semel) throws Exception {
    try (Connection connection = connect()) {
      System.out.println(said(semel.once("order", "17").inTransaction(connection).call(it -> insert(connection, "a book"))));
      connection.commit();
    }
  }

  static void messages(Semel semel) throws Exception {
    Message message = Message.of("orders", "a pen".getBytes());
    String ordered = semel.outbox().executeWithOutbox(connection -> insert(connection, "a pen"), message);
    System.out.println(ordered);
    String nothing = semel.outbox().inTransaction(Message.of("orders", "tea".getBytes()), connection -> "nothing written");
    System.out.println(nothing);
    try (Connection connection = connect()) {
      System.out.println(semel.inbox().handle(connection, "warehouse", message, (it, heard) -> insert(it, "heard")));
      connection.commit();
    }
    System.out.println(semel.inbox().consumerInbox("ledger", (it, heard) -> insert(it, "booked")).take(List.of(message)));
  }

  static void work(Semel semel) {
    CompletableFuture<String> handled = new CompletableFuture<>();
    semel.handleJobs("exports", (job, execution) -> handled.complete(job.key().id()));
    semel.jobs().enqueue(Job.of(Key.of("exports", "customer-17"), "{}".getBytes()));
    System.out.println("exported " + handled.join());
    CompletableFuture<Boolean> slot = new CompletableFuture<>();
    semel.cron("tick", CronSchedule.every(Duration.ofSeconds(1)), (at, execution) -> slot.complete(execution.held()));
    System.out.println("ticked " + slot.join());
    System.out.println(semel.admin("ann").stats().toString().isEmpty());
  }
}
