package dev.semel.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.idempotency.Outcome;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageHandler;
import dev.semel.job.Job;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The front door on each database, and executions in a caller's transaction. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class SemelOnSqlTest {
  @TempDir static Path folder;
  private static List<Database> databases = List.of();

  /** A database by its URL for Semel and by its JDBC URL for the application's code. */
  record Database(String name, String url, String jdbcUrl) {
    Connection connect() throws SQLException {
      Connection connection = DriverManager.getConnection(jdbcUrl);
      connection.setAutoCommit(false);
      return connection;
    }

    /** Reads committed effects on a separate connection. */
    int effects(String what) throws SQLException {
      try (Connection connection = connect();
          PreparedStatement count =
              connection.prepareStatement("SELECT count(*) FROM effect WHERE what = ?")) {
        count.setString(1, what);
        try (ResultSet rs = count.executeQuery()) {
          rs.next();
          return rs.getInt(1);
        }
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  static void open(PostgresService postgres, MariaDbService maria) throws SQLException {
    TestDatabase first = postgres.freshDatabase();
    MariaDbDatabase second = maria.freshDatabase();
    Path file = folder.resolve("semel.db");
    databases =
        List.of(
            new Database("SQLite", "sqlite:" + file, "jdbc:sqlite:" + file),
            new Database("PostgreSQL", first.url(), first.jdbcUrl()),
            new Database("MariaDB", second.url(), second.jdbcUrl()));
    for (Database each : databases) {
      try (Connection connection = each.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE effect (what varchar(100) NOT NULL)");
        connection.commit();
      }
    }
  }

  static Stream<Database> databases() {
    return databases.stream();
  }

  private static String effect(Connection connection, String what) {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
      insert.setString(1, what);
      insert.executeUpdate();
      return "done " + what;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void everythingIsOpenedByOneUrl(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url())) {
      assertThat(semel.once("front", "one").request("a").run(e -> "first"))
          .isInstanceOf(Outcome.Executed.class);
      Outcome<String> again = semel.once("front", "one").request("a").run(e -> "second");
      assertThat(again).isInstanceOf(Outcome.Replayed.class);
      assertThat(again.value()).contains("first");
      assertThat(semel.once("front", "one").request("b").run(e -> "third"))
          .isInstanceOf(Outcome.Mismatch.class);

      CompletableFuture<String> handled = new CompletableFuture<>();
      semel.handleJobs("front-jobs", (job, execution) -> handled.complete(job.key().id()));
      semel.jobs().enqueue(Job.of(Key.of("front-jobs", "j-1"), "x".getBytes(UTF_8)));
      assertThat(handled.get()).isEqualTo("j-1");

      Message message = Message.of("orders", "hello".getBytes(UTF_8));
      String told = semel.outbox().inTransaction(message, connection -> effect(connection, "told"));
      assertThat(told).isEqualTo("done told");
      assertThatThrownBy(
              () ->
                  semel
                      .outbox()
                      .inTransaction(
                          Message.of("orders", "never".getBytes(UTF_8)),
                          connection -> {
                            effect(connection, "never told");
                            throw new IllegalStateException("out of stock");
                          }))
          .hasMessage("out of stock");
      assertThat(database.effects("never told")).isZero();
      assertThat(database.effects("told")).isEqualTo(1);
      assertThat(semel.outbox().operations().status().pending()).isEqualTo(1);

      MessageHandler handler = (it, m) -> effect(it, "heard");
      try (Connection connection = database.connect()) {
        assertThat(semel.inbox().handle(connection, "front", message, handler))
            .isInstanceOf(HandleResult.Done.class);
        connection.commit();
        assertThat(semel.inbox().handle(connection, "front", message, handler))
            .isInstanceOf(HandleResult.Duplicate.class);
        connection.rollback();
      }
      assertThat(database.effects("heard")).isEqualTo(1);
      assertThat(semel.admin().stats()).isNotNull();
    }
    try (Semel semel = Semel.open(database.url())) {
      assertThat(semel.once("front", "one").request("a").run(e -> "second").value())
          .contains("first");
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void recordAndEffectCommitWithTheCallersTransaction(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url());
        Connection connection = database.connect()) {
      effect(connection, "before");
      Outcome<String> first =
          semel.once("joined", "one").inTransaction(connection).run(e -> effect(connection, "one"));
      assertThat(first).isInstanceOf(Outcome.Executed.class);
      connection.rollback();
      assertThat(database.effects("one")).isZero();

      Outcome<String> second =
          semel.once("joined", "one").inTransaction(connection).run(e -> effect(connection, "one"));
      assertThat(second).isInstanceOf(Outcome.Executed.class);
      connection.commit();
      assertThat(database.effects("one")).isEqualTo(1);

      Outcome<String> third =
          semel.once("joined", "one").inTransaction(connection).run(e -> effect(connection, "one"));
      assertThat(third).isInstanceOf(Outcome.Replayed.class);
      effect(connection, "after");
      connection.commit();
      assertThat(database.effects("one")).isEqualTo(1);
      assertThat(database.effects("before")).isZero();
      assertThat(database.effects("after")).isEqualTo(1);
      assertThat(semel.once("joined", "one").run(e -> "beside").value()).contains("done one");
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void whatFailedIsUndoneAloneAndTheTransactionGoesOn(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url());
        Connection connection = database.connect()) {
      effect(connection, "kept");
      assertThatThrownBy(
              () ->
                  semel
                      .once("joined", "failing")
                      .inTransaction(connection)
                      .run(
                          e -> {
                            effect(connection, "undone");
                            throw new IllegalArgumentException("no");
                          }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no");
      assertThat(
              semel
                  .once("joined", "failing")
                  .inTransaction(connection)
                  .run(e -> effect(connection, "next try")))
          .isInstanceOf(Outcome.Executed.class);
      connection.commit();
      assertThat(database.effects("kept")).isEqualTo(1);
      assertThat(database.effects("undone")).isZero();
      assertThat(database.effects("next try")).isEqualTo(1);
    }
  }

  /** PostgreSQL aborts a whole transaction after an error, unless it rolls back to a savepoint. */
  @ParameterizedTest
  @MethodSource("databases")
  void afterAnSqlErrorOfTheWorkTheTransactionGoesOn(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url());
        Connection connection = database.connect()) {
      effect(connection, "before the error");
      assertThatThrownBy(
              () ->
                  semel
                      .once("joined", "broken")
                      .inTransaction(connection)
                      .call(
                          e -> {
                            effect(connection, "with the error");
                            try (Statement statement = connection.createStatement()) {
                              statement.execute("INSERT INTO no_such_table (what) VALUES ('x')");
                            }
                            return "done";
                          }))
          .isInstanceOf(SQLException.class);
      effect(connection, "after the error");
      connection.commit();
      assertThat(database.effects("before the error")).isEqualTo(1);
      assertThat(database.effects("with the error")).isZero();
      assertThat(database.effects("after the error")).isEqualTo(1);
      assertThat(semel.once("joined", "broken").run(e -> "next try"))
          .isInstanceOf(Outcome.Executed.class);
    }
  }

  /** The writes are committed without a record, so the caller must get an error. */
  @ParameterizedTest
  @MethodSource("databases")
  void workThatEndsTheTransactionIsFound(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url());
        Connection connection = database.connect()) {
      assertThatThrownBy(
              () ->
                  semel
                      .once("joined", "ending")
                      .inTransaction(connection)
                      .call(
                          e -> {
                            connection.commit();
                            return "done";
                          }))
          .hasMessageContaining("ended its transaction");
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void aLaterResultInATransactionIsRefused(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url());
        Connection connection = database.connect()) {
      assertThatThrownBy(
              () ->
                  semel
                      .once("joined", "later")
                      .inTransaction(connection)
                      .runAsync(
                          e -> CompletableFuture.supplyAsync(() -> effect(connection, "later"))))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("inTransaction(connection)");
      connection.commit();
      assertThat(database.effects("later")).isZero();
    }
  }

  /** Of two executions that have worked and not committed yet, only one commits. */
  @ParameterizedTest
  @MethodSource("databases")
  void twoTransactionsNeverBothCommitTheEffect(Database database) throws Exception {
    String what = "raced on " + database.name();
    try (Semel semel = Semel.open(database.url());
        Connection first = database.connect();
        Connection second = database.connect()) {
      if (database.name().equals("SQLite")) {
        try (Statement statement = second.createStatement()) {
          statement.execute("PRAGMA busy_timeout = 60000");
        }
      }
      assertThat(semel.once("joined", "raced").inTransaction(first).run(e -> effect(first, what)))
          .isInstanceOf(Outcome.Executed.class);
      // The first has run but not committed: the other waits for it, or gets "in flight".
      Together.Beside<Outcome<String>> other =
          Together.beside(
              () -> {
                Outcome<String> outcome =
                    semel
                        .once("joined", "raced")
                        .inTransaction(second)
                        .run(e -> effect(second, what));
                second.commit();
                return outcome;
              });
      if (!database.name().equals("PostgreSQL")) {
        Together.until(() -> other.thread().getState() != Thread.State.NEW);
      } else {
        assertThat(other.result()).isInstanceOf(Outcome.InFlight.class);
      }
      first.commit();
      assertThat(other.result()).isInstanceOfAny(Outcome.Replayed.class, Outcome.InFlight.class);
      assertThat(database.effects(what)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void aConnectionWithoutTransactionIsRefused(Database database) throws Exception {
    try (Semel semel = Semel.open(database.url());
        Connection connection = database.connect()) {
      connection.setAutoCommit(true);
      assertThatThrownBy(
              () ->
                  semel
                      .once("joined", "alone")
                      .inTransaction(connection)
                      .run(e -> effect(connection, "x")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void aUrlThatCannotBeSaysWhy() {
    assertThatThrownBy(() -> Semel.open("postgres://me:s3cret@localhost/shop"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("did you mean postgresql:")
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> Semel.open("redis://localhost"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("dev.semel:semel-redis");
    assertThatThrownBy(() -> Semel.open("sqlite:")).isInstanceOf(InvalidInput.class);
  }
}
