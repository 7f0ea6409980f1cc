package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.jdbc.Together.Beside;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.InboxQueue;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
@SuppressWarnings("NullAway.Init") // before each test
final class PostgresJdbcInboxTest extends JdbcInboxContract {
  private TestDatabase database;
  private InboxFixture fixture;

  @BeforeEach
  void open(PostgresService postgres) throws SQLException {
    database = postgres.freshDatabase();
    fixture = InboxFixture.on(database);
  }

  @AfterEach
  void close() throws SQLException {
    fixture.close();
  }

  @Override
  InboxFixture fixture() {
    return fixture;
  }

  @Override
  Connection connect() throws SQLException {
    return database.dataSource().getConnection();
  }

  @Override
  List<String> deferred() {
    return List.of(
        "CREATE TABLE parent (id integer PRIMARY KEY)",
        "CREATE TABLE child (id integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
  }

  @Override
  void awaitsTheFirst(Beside<HandleResult> second) {
    awaitALock();
  }

  private void awaitALock() {
    Together.until(
        () ->
            fixture.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND wait_event_type = 'Lock'")
                > 0);
  }

  @Override
  List<String> dropKey() {
    return List.of("ALTER TABLE semel_inbox DROP CONSTRAINT semel_inbox_pkey");
  }

  /** Covers statements that a handler sends, not only the methods that it calls. */
  @Test
  void aTransactionEndedByAStatementIsFound() {
    List<String> ran = new ArrayList<>();
    ConsumerInbox consumerInbox =
        fixture
            .inbox()
            .consumerInbox(
                "sent",
                (connection, message) -> {
                  ran.add(message.id());
                  InboxFixture.write(connection, message.id());
                  if (message.id().equals("m-1")) {
                    HandlerCall.execute(connection, "COMMIT; BEGIN");
                    InboxFixture.write(connection, "beside");
                  }
                });
    assertThat(consumerInbox.take(messages(4)))
        .containsExactly(
            new HandleResult.Duplicate(),
            new HandleResult.Duplicate(),
            new HandleResult.Done(),
            new HandleResult.Done());
    assertThat(ran).containsExactly("m-0", "m-1", "m-2", "m-3");
    assertThat(fixture.effects("")).containsExactly("m-0", "m-1", "m-2", "m-3");
  }

  @Test
  void aHandlerThatChangesTheSessionsNameIsNotTakenForOneThatEndedIt() {
    ConsumerInbox consumerInbox =
        fixture
            .inbox()
            .consumerInbox(
                "renaming",
                (connection, message) -> {
                  HandlerCall.execute(connection, "SET LOCAL application_name = 'mine'");
                  InboxFixture.write(connection, message.id());
                });
    assertThat(consumerInbox.take(messages(3))).containsOnly(new HandleResult.Done()).hasSize(3);
    assertThat(fixture.effects("")).containsExactly("m-0", "m-1", "m-2");
  }

  @Test
  void theSessionsNameSaysWhoIsAtItAndIsGivenBack() throws SQLException {
    List<String> names = new ArrayList<>();
    ConsumerInbox consumerInbox =
        fixture
            .inbox()
            .consumerInbox(
                "named",
                (connection, message) -> {
                  try (Statement statement = connection.createStatement();
                      ResultSet rs = statement.executeQuery("SHOW application_name")) {
                    rs.next();
                    names.add(rs.getString(1));
                  }
                });
    consumerInbox.take(messages(2));
    assertThat(names).hasSize(2).allMatch(name -> name.endsWith("[semel inbox]"));
    assertThat(
            fixture.number(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND application_name LIKE '%inbox]'"))
        .isZero();
  }

  /** One failure makes the handlers before it run twice, once; while failures go on, none does. */
  @Test
  void whileHandlersFailEachHasASavepointOfItsOwn() {
    List<String> ran = new ArrayList<>();
    ConsumerInbox consumerInbox =
        fixture
            .inbox()
            .consumerInbox(
                "failing",
                (connection, message) -> {
                  ran.add(message.id());
                  if (message.id().equals("m-2")) {
                    throw new IllegalStateException("always");
                  }
                });
    consumerInbox.take(messages(4));
    assertThat(ran).containsExactly("m-0", "m-1", "m-2", "m-0", "m-1", "m-3");
    ran.clear();
    fixture.operations().forget("failing", "m-0");
    consumerInbox.take(messages(4));
    assertThat(ran).containsExactly("m-0", "m-2");
  }

  /** The slow worker must not bury it: the other one would then handle a dead letter. */
  @Test
  void aMessageThatAnotherWorkerTakesIsNotBuried() throws Exception {
    fixture.inbox().storing("slow").take(messages(1));
    try (InboxEngine engine = PostgresStore.open(database.dataSource()).inbox();
        Connection other = connect()) {
      InboxQueue queue = new InboxQueue(engine);
      InboxQueue.Claimed claimed =
          engine
              .transact("taken", db -> queue.claim(db, "slow", 1, Duration.ofMinutes(1), 1))
              .getFirst();
      other.setAutoCommit(false);
      HandlerCall.execute(other, "UPDATE semel_inbox_message SET owner = 2");
      Beside<Boolean> buried =
          Together.beside(
              () -> engine.transact("buried", db -> queue.bury(db, claimed, "it failed")));
      awaitALock();
      other.commit();
      assertThat(buried.result()).isFalse();
    }
    assertThat(fixture.number("SELECT count(*) FROM semel_inbox_dead")).isZero();
    assertThat(fixture.number("SELECT owner FROM semel_inbox_message")).isEqualTo(2);
  }

  private static List<Message> messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Message.of("orders", "{}").withId("m-" + i))
        .toList();
  }
}
