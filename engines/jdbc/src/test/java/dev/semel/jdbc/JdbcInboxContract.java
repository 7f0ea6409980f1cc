package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.semel.ExecutionOrigin;
import dev.semel.InvalidInput;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.internal.Ids;
import dev.semel.jdbc.Together.Beside;
import dev.semel.loop.internal.Loop;
import dev.semel.transport.Message;
import dev.semel.transport.spi.LogPosition;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an inbox promises about transactions: the caller's, and those that handlers break. */
abstract class JdbcInboxContract {
  private final String consumer = "c-" + Ids.uuid7();

  abstract InboxFixture fixture();

  /** A connection like an application's. */
  abstract Connection connect() throws Exception;

  /** Statements for a table whose rows only the commit refuses. */
  abstract List<String> deferred();

  private static Message message(String id) {
    return Message.of("orders", "{}").withId(id);
  }

  private static List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m-" + i)).toList();
  }

  private void write(Connection connection, Message message) throws Exception {
    InboxFixture.write(connection, consumer + '/' + message.id());
  }

  private List<String> effects() {
    return fixture().effects(consumer + '/').stream()
        .map(what -> what.substring(consumer.length() + 1))
        .toList();
  }

  private Connection begin() throws Exception {
    Connection connection = connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private HandleResult handle(Connection connection, String id) throws Exception {
    return fixture().inbox().handle(connection, consumer, message(id), this::write);
  }

  private HandleResult handleAndCommit(String id) throws Exception {
    try (Connection connection = begin()) {
      HandleResult handled = handle(connection, id);
      connection.commit();
      return handled;
    }
  }

  private static void execute(Connection connection, String sql) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void inTheCallersTransactionTheIdIsThereIfThatCommits() throws Exception {
    try (Connection connection = begin()) {
      assertThat(handle(connection, "a")).isEqualTo(new HandleResult.Done());
      connection.rollback();
      assertThat(handle(connection, "a")).isEqualTo(new HandleResult.Done());
      connection.commit();
      assertThat(handle(connection, "a")).isEqualTo(new HandleResult.Duplicate());
      // A duplicate leaves the transaction usable.
      InboxFixture.write(connection, consumer + "/beside");
      connection.commit();
    }
    assertThat(effects()).containsExactly("a", "beside");
  }

  @Test
  void aHandlerThatFailsIsUndoneAndTheCallerMayGoOn() throws Exception {
    try (Connection connection = begin()) {
      InboxFixture.write(connection, consumer + "/before");
      assertThatThrownBy(
              () ->
                  fixture()
                      .inbox()
                      .handle(
                          connection,
                          consumer,
                          message("a"),
                          (c, m) -> {
                            write(c, m);
                            throw new IOException("card refused");
                          }))
          .isInstanceOf(IOException.class);
      InboxFixture.write(connection, consumer + "/after");
      connection.commit();
      assertThat(handle(connection, "a")).isEqualTo(new HandleResult.Done());
      connection.commit();
    }
    assertThat(effects()).containsExactly("before", "after", "a");
  }

  @Test
  void withoutATransactionNothingIsHandled() throws Exception {
    try (Connection connection = connect()) {
      assertThatThrownBy(() -> handle(connection, "a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("turn automatic commits off");
      assertThatThrownBy(
              () -> fixture().inbox().handle(connection, "not a name", message("a"), this::write))
          .isInstanceOf(InvalidInput.class);
    }
    assertThat(effects()).isEmpty();
  }

  @Test
  void aConcurrentDuplicateWaitsForTheFirst() throws Exception {
    for (boolean commits : new boolean[] {true, false}) {
      String id = "waits-" + commits;
      Beside<HandleResult> second;
      try (Connection first = begin()) {
        handle(first, id);
        second = Together.beside(() -> handleAndCommit(id));
        awaitsTheFirst(second);
        if (commits) {
          first.commit();
        } else {
          first.rollback();
        }
      } // closed, because SQLite's driver has already begun the next transaction
      assertThat(second.result())
          .isEqualTo(commits ? new HandleResult.Duplicate() : new HandleResult.Done());
      assertThat(effects()).filteredOn(id::equals).hasSize(1);
    }
  }

  /** Returns once the database reports that a session waits for a lock. */
  abstract void awaitsTheFirst(Beside<HandleResult> second) throws Exception;

  @Test
  void aMessageThatTheCommitRefusesFailsAlone() throws Exception {
    List<String> tables = deferred();
    assumeFalse(tables.isEmpty(), "no deferred constraints");
    for (String table : tables) {
      fixture().execute(table);
    }
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  write(connection, message);
                  if (message.id().equals("m-7")) {
                    execute(connection, "INSERT INTO child VALUES (1)");
                  }
                });
    List<LogPosition> places =
        IntStream.range(0, 20)
            .mapToObj(i -> new LogPosition("lane", "" + i, "" + (i + 1)))
            .toList();
    fixture().positions().read(consumer, Set.of("lane"));
    fixture().positions().advance(consumer, List.of(new LogPosition("lane", "", "0")));
    List<HandleResult> outcomes = consumerInbox.take(messages(20), places);
    assertThat(fixture().positions().read(consumer, Set.of("lane"))).containsEntry("lane", "7");
    assertThat(outcomes.get(7))
        .isInstanceOfSatisfying(
            HandleResult.Failed.class,
            failed -> assertThat(failed.reason()).isInstanceOf(SQLException.class));
    assertThat(outcomes).filteredOn(HandleResult.Done.class::isInstance).hasSize(19);
    assertThat(effects()).hasSize(19).doesNotContain("m-7");
  }

  @Test
  void aHandlerThatCommitsLosesNoneOfTheOthers() {
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  ran.add(message.id());
                  write(connection, message);
                  if (message.id().equals("m-1")) {
                    connection.commit();
                  }
                });
    assertThat(consumerInbox.take(messages(4)))
        .satisfiesExactly(
            m0 -> assertThat(m0).isEqualTo(new HandleResult.Duplicate()),
            m1 -> assertThat(m1).isEqualTo(new HandleResult.Duplicate()),
            m2 -> assertThat(m2).isEqualTo(new HandleResult.Done()),
            m3 -> assertThat(m3).isEqualTo(new HandleResult.Done()));
    assertThat(ran).containsExactly("m-0", "m-1", "m-2", "m-3");
    assertThat(effects()).containsExactly("m-0", "m-1", "m-2", "m-3");
  }

  @Test
  void aHandlerThatCommitsDoesNotTakeTheIdsOfThoseThatFailedBefore() {
    Set<String> failing = new HashSet<>(Set.of("m-0"));
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  write(connection, message);
                  if (failing.remove(message.id())) {
                    throw new IOException("the first time");
                  }
                  if (message.id().equals("m-2")) {
                    connection.commit();
                  }
                });
    List<HandleResult> outcomes = new ArrayList<>(consumerInbox.take(messages(4)));
    outcomes.addAll(consumerInbox.take(messages(4)));
    assertThat(outcomes).noneMatch(HandleResult::stays);
    assertThat(effects()).containsExactlyInAnyOrder("m-0", "m-1", "m-2", "m-3");
  }

  @Test
  void aTransactionThatWasEndedAndBegunAgainIsFound() {
    for (String how : List.of("COMMIT", "ROLLBACK")) {
      String whose = consumer + how;
      List<String> ran = new ArrayList<>();
      ConsumerInbox consumerInbox =
          fixture()
              .inbox()
              .consumerInbox(
                  whose,
                  (connection, message) -> {
                    boolean first = !ran.contains(message.id());
                    ran.add(message.id());
                    InboxFixture.write(connection, whose + '/' + message.id());
                    if (message.id().equals("m-1") && first) {
                      if (how.equals("COMMIT")) {
                        connection.commit();
                      } else {
                        connection.rollback();
                      }
                      InboxFixture.write(connection, whose + "/beside");
                    }
                  });
      consumerInbox.take(messages(4));
      assertThat(consumerInbox.take(messages(4))).containsOnly(new HandleResult.Duplicate());
      assertThat(fixture().effects(whose + '/'))
          .containsExactlyInAnyOrder(
              whose + "/m-0", whose + "/m-1", whose + "/m-2", whose + "/m-3");
    }
  }

  @Test
  void anSqlErrorThatTheLastHandlerCaughtIsFoundToo() throws Exception {
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  write(connection, message);
                  if (message.id().equals("m-2")) {
                    try {
                      execute(connection, "INSERT INTO no_such_table VALUES (1)");
                    } catch (SQLException caught) {
                      return;
                    }
                  }
                });
    List<HandleResult> outcomes = consumerInbox.take(messages(3));
    assertThat(outcomes.subList(0, 2)).containsOnly(new HandleResult.Done());
    assertThat(effects())
        .hasSize(outcomes.get(2).stays() ? 2 : 3)
        .contains("m-0", "m-1")
        .doesNotHaveDuplicates();
  }

  @Test
  void aFailureIsNotBlamedOnWhoComesNext() {
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  try {
                    write(connection, message);
                    if (message.id().equals("m-1")) {
                      execute(connection, "INSERT INTO no_such_table VALUES (1)");
                    }
                  } catch (SQLException e) {
                    if (!message.id().equals("m-1")) {
                      throw new IOException("without its cause");
                    }
                  }
                });
    List<HandleResult> outcomes = consumerInbox.take(messages(4));
    assertThat(List.of(outcomes.get(0), outcomes.get(2), outcomes.get(3)))
        .containsOnly(new HandleResult.Done());
    assertThat(effects()).contains("m-0", "m-2", "m-3").doesNotHaveDuplicates();
  }

  @Test
  void aHandlerRunsOnceIfNoneFails() {
    List<String> ran = new ArrayList<>();
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  ran.add(message.id());
                  write(connection, message);
                });
    consumerInbox.take(messages(100));
    assertThat(ran).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void whatAHandlerDoesFollowsFromItsMessageAloneAndAmongOthers() {
    List<String> causes = new ArrayList<>();
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> causes.add(ExecutionOrigin.current().causationId()));
    consumerInbox.take(messages(3));
    consumerInbox.take(List.of(message("alone")));
    assertThat(causes).containsExactly("m-0", "m-1", "m-2", "alone");
  }

  @Test
  void aWorkersHandlerThatCommitsOrFailsHasItsEffectOnce() {
    List<String> ran = new ArrayList<>();
    InboxWorkerSettings patient =
        InboxWorkerSettings.defaults().withPauses(Duration.ZERO, Duration.ZERO);
    InboxWorker worker =
        fixture()
            .inbox()
            .worker(
                consumer,
                (connection, message) -> {
                  ran.add(message.id());
                  write(connection, message);
                  if (message.id().equals("m-1")) {
                    connection.commit();
                    throw new IOException("after the commit");
                  }
                  if (message.id().equals("m-2") && ran.size() < 4) {
                    throw new IOException("the first time");
                  }
                },
                patient);
    fixture().inbox().storing(consumer).take(messages(3));
    while (worker.runOnce()) {
      // until nothing is due
    }
    assertThat(ran).containsExactly("m-0", "m-1", "m-2", "m-2");
    assertThat(effects()).containsExactly("m-0", "m-1", "m-2");
    assertThat(fixture().operations().diagnose()).isEmpty();
  }

  @Test
  void aWorkerRunsByItselfUntilClosed() {
    List<Exception> errors = Collections.synchronizedList(new ArrayList<>());
    InboxWorker worker =
        fixture().inbox().worker(consumer, this::write, InboxWorkerSettings.defaults());
    fixture().inbox().storing(consumer).take(messages(3));
    Loop loop = worker.start(errors::add);
    Together.until(() -> effects().size() == 3);
    loop.close();
    assertThat(errors).isEmpty();
  }

  @Test
  void aHandlerThatEndsItsTransactionIsTold() {
    for (String how : List.of("rollback", "close", "automatic")) {
      ConsumerInbox consumerInbox =
          fixture()
              .inbox()
              .consumerInbox(
                  consumer,
                  (connection, message) -> {
                    switch (how) {
                      case "rollback" -> connection.rollback();
                      case "close" -> connection.close();
                      default -> connection.setAutoCommit(true);
                    }
                  });
      assertThat(consumerInbox.take(List.of(message(how))))
          .singleElement()
          .isInstanceOfSatisfying(
              HandleResult.Failed.class,
              failed -> assertThat(failed.reason()).hasMessageContaining("ended its transaction"));
    }
  }

  @Test
  void anSqlErrorThatAHandlerCaughtDoesNotSpoilTheOthers() throws Exception {
    ConsumerInbox consumerInbox =
        fixture()
            .inbox()
            .consumerInbox(
                consumer,
                (connection, message) -> {
                  write(connection, message);
                  if (message.id().equals("m-1")) {
                    try {
                      execute(connection, "INSERT INTO no_such_table VALUES (1)");
                    } catch (SQLException caught) {
                      return;
                    }
                  }
                });
    List<HandleResult> outcomes = consumerInbox.take(messages(3));
    assertThat(outcomes.get(0)).isEqualTo(new HandleResult.Done());
    assertThat(outcomes.get(2)).isEqualTo(new HandleResult.Done());
    // PostgreSQL has aborted the transaction by then, the others have not.
    if (outcomes.get(1) instanceof HandleResult.Failed failed) {
      assertThat(failed.reason()).hasMessageContaining("let the error pass");
      assertThat(effects()).containsExactly("m-0", "m-2");
    } else {
      assertThat(effects()).containsExactly("m-0", "m-1", "m-2");
    }
  }

  @Test
  void aTableWithoutItsKeyIsFound() throws Exception {
    assertThat(fixture().operations().diagnose()).noneMatch(f -> f.contains("primary key"));
    for (String sql : dropKey()) {
      fixture().execute(sql);
    }
    assertThat(fixture().operations().diagnose()).anyMatch(f -> f.contains("no primary key"));
  }

  abstract List<String> dropKey();
}
