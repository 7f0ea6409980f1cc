package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.StoreException;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.jdbc.CommitProxy.Fault;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A COMMIT whose answer got lost: handing the messages in again shows what happened. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class InboxLostCommitTest {
  private static final List<Message> BATCH =
      IntStream.range(0, 5).mapToObj(i -> Message.of("orders", "{}").withId("m-" + i)).toList();

  @Test
  void onPostgres(PostgresService postgres) throws IOException, SQLException {
    TestDatabase database = postgres.freshDatabase();
    try (CommitProxy proxy = new CommitProxy(database.port(), CommitProxy.POSTGRES_COMMIT)) {
      String url = new TestDatabase(proxy.port(), database.name()).jdbcUrl();
      isResolved(
          proxy, url, database.jdbcUrl(), source -> JdbcInbox.on(PostgresStore.open(source)));
    }
  }

  @Test
  void onMariaDb(MariaDbService mariadb) throws IOException, SQLException {
    MariaDbDatabase database = mariadb.freshDatabase();
    try (CommitProxy proxy = new CommitProxy(database.port(), CommitProxy.MARIADB_COMMIT)) {
      String url = new MariaDbDatabase(proxy.port(), database.name()).jdbcUrl();
      isResolved(proxy, url, database.jdbcUrl(), source -> JdbcInbox.on(MariaDbStore.open(source)));
    }
  }

  private static void isResolved(
      CommitProxy proxy, String url, String direct, Function<DataSource, JdbcInbox> opening)
      throws SQLException {
    try (HikariDataSource pool = ServerUnderTest.pool(url, 2);
        JdbcInbox inbox = opening.apply(pool);
        Connection stranger = DriverManager.getConnection(direct);
        Statement statement = stranger.createStatement()) {
      statement.execute("CREATE TABLE effect (what varchar(64))");
      for (Fault fault : List.of(Fault.LOSE_THE_ANSWER, Fault.LOSE_THE_COMMIT)) {
        String consumer = "c-" + fault;
        ConsumerInbox consumerInbox =
            inbox.consumerInbox(
                consumer, (connection, message) -> InboxFixture.write(connection, consumer));
        proxy.failNextCommit(fault);
        assertThatThrownBy(() -> consumerInbox.take(BATCH))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("hand them in again");
        HandleResult expected =
            fault == Fault.LOSE_THE_ANSWER ? new HandleResult.Duplicate() : new HandleResult.Done();
        assertThat(consumerInbox.take(BATCH)).containsOnly(expected);
        try (ResultSet rs =
            statement.executeQuery("SELECT count(*) FROM effect WHERE what = '" + consumer + "'")) {
          rs.next();
          assertThat(rs.getInt(1)).isEqualTo(BATCH.size());
        }
      }
      outsideItRunsOnce(proxy, inbox);
    }
  }

  /** The id's mark shows that it is ours, so nothing is lost and nothing in doubt. */
  private static void outsideItRunsOnce(CommitProxy proxy, JdbcInbox inbox) {
    for (OutsideMode mode : OutsideMode.values()) {
      AtomicInteger runs = new AtomicInteger();
      ConsumerInbox consumerInbox =
          inbox.outside("o-" + mode, message -> runs.incrementAndGet(), mode);
      proxy.failNextCommit(Fault.LOSE_THE_ANSWER);
      assertThat(consumerInbox.take(BATCH.subList(0, 1))).containsExactly(new HandleResult.Done());
      assertThat(runs).hasValue(1);
    }
  }
}
