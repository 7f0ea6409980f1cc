package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process inside its batches: effects and ids agree, and none is missing. */
@ExtendWith(SharedServices.class)
class InboxKillTest {
  private static final int MESSAGES = 300;
  private static final int BATCH = 20;
  private static final int ROUNDS = 2;

  @TempDir Path folder;

  /** Takes all messages, however often it is restarted. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      String where = arguments[0];
      if (where.startsWith("jdbc:postgresql:")) {
        run(JdbcInbox.on(PostgresStore.open(source(where), SchemaSetup.CHECK)));
      } else if (where.startsWith("jdbc:")) {
        run(JdbcInbox.on(MariaDbStore.open(source(where), SchemaSetup.CHECK)));
      } else {
        try (SqliteStore store = SqliteStore.open(Path.of(where), InstantSource.system())) {
          run(JdbcInbox.on(store));
        }
      }
    }

    private static DataSource source(String url) {
      return ServerUnderTest.pool(url, 2);
    }

    /** Slow enough to be killed inside a transaction. */
    private static void run(JdbcInbox inbox) {
      ConsumerInbox consumerInbox =
          inbox.consumerInbox(
              "c",
              (connection, message) -> {
                InboxFixture.write(connection, message.id());
                LockSupport.parkNanos(500_000);
              });
      List<Message> all =
          IntStream.range(0, MESSAGES)
              .mapToObj(i -> Message.of("orders", "{}").withId("m-" + i))
              .toList();
      for (int from = 0; from < MESSAGES; from += BATCH) {
        List<HandleResult> outcomes = consumerInbox.take(all.subList(from, from + BATCH));
        if (!outcomes.stream().allMatch(Child::tookEffect)) {
          throw new IllegalStateException("not all took effect: " + outcomes);
        }
      }
    }

    private static boolean tookEffect(HandleResult outcome) {
      return outcome instanceof HandleResult.Done || outcome instanceof HandleResult.Duplicate;
    }
  }

  @Test
  void onSqlite() throws SQLException {
    Path file = folder.resolve("semel.db");
    SqliteStore.open(file, InstantSource.system()).close();
    kill(file.toString(), "jdbc:sqlite:" + file);
  }

  @Test
  @Tag("service")
  void onPostgres(PostgresService postgres) throws SQLException {
    var database = postgres.freshDatabase();
    PostgresStore.open(database.dataSource());
    kill(database.jdbcUrl(), database.jdbcUrl());
  }

  @Test
  @Tag("service")
  void onMariaDb(MariaDbService mariadb) throws SQLException {
    var database = mariadb.freshDatabase();
    MariaDbStore.open(database.dataSource());
    kill(database.jdbcUrl(), database.jdbcUrl());
  }

  private void kill(String where, String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (what varchar(64) NOT NULL)");
      try (ChildJvm child = ChildJvm.start(Child.class, folder.resolve("child.log"), where)) {
        for (int round = 1; round <= ROUNDS; round++) {
          // Inside a batch, for a handler whose writes are visible at once.
          long enough = (long) MESSAGES / (ROUNDS + 1) * round - BATCH / 2;
          Together.until(() -> !child.alive() || count(statement, "effect") >= enough);
          child.restart();
          agree(statement);
        }
        child.awaitSuccess();
      }
      agree(statement);
      assertThat(count(statement, "effect")).isEqualTo(MESSAGES);
    }
  }

  /** In one statement, because another child may be running. */
  private static void agree(Statement statement) {
    assertThat(
            count(
                statement,
                "(SELECT 1 FROM (SELECT what AS id FROM effect UNION ALL"
                    + " SELECT id FROM semel_inbox) t GROUP BY id HAVING count(*) <> 2) wrong"))
        .isZero();
  }

  private static long count(Statement statement, String rows) {
    try (ResultSet rs = statement.executeQuery("SELECT count(*) FROM " + rows)) {
      rs.next();
      return rs.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
