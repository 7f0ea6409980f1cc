package dev.semel.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.Together;
import dev.semel.jdbc.Together.Beside;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Features of PostgreSQL alone: notifications between processes, a kept connection, stable plans.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresOutboxTest {
  private static final List<ReadRange> ALL =
      IntStream.range(0, OutboxStore.PARTITIONS)
          .mapToObj(p -> new ReadRange(p, 0, Set.of(), Set.of()))
          .toList();

  private static final String LISTENING =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
          + " AND query LIKE 'LISTEN%'";

  private TestDatabase database;
  private JdbcOutbox relays;
  private JdbcOutbox writers;

  @BeforeEach
  void twoProcesses(PostgresService postgres) {
    database = postgres.freshDatabase();
    relays = JdbcOutbox.on(PostgresStore.open(database.dataSource()), OutboxSettings.defaults());
    writers = JdbcOutbox.on(PostgresStore.open(database.dataSource()), OutboxSettings.defaults());
  }

  @AfterEach
  void close() {
    relays.close();
    writers.close();
  }

  private long number(String sql) {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery(sql)) {
      return rs.next() ? rs.getLong(1) : 0;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void write(String id) {
    writers.executeWithOutbox(connection -> true, Message.of("orders", "x").withId(id));
  }

  @Test
  void writersOfOtherProcessesRingOnlyWhereARelayRests() throws Exception {
    AtomicInteger rung = new AtomicInteger();
    OutboxStore store = relays.store();
    store.heartbeat("a", Duration.ofMinutes(10), RelayCounts.NONE);
    try (AutoCloseable listening = store.onBell(rung::incrementAndGet)) {
      assertThat(listening).isNotNull();
      Together.until(() -> rung.get() == 1); // it listens
      write("while it is busy");
      store.resting("a", true);
      write("while it rests");
      Together.until(() -> rung.get() == 2);
      store.resting("a", false);
      write("while it is busy again");
      store.resting("a", true);
      write("while it rests again");
      Together.until(() -> rung.get() >= 3);
      assertThat(rung).hasValue(3); // notifications arrive in order
    }
    Together.until(() -> number("SELECT count(*) FROM (" + LISTENING + ") l") == 0);
  }

  @Test
  void bellIsHeardAgainAfterItsConnectionWasLost() throws Exception {
    AtomicInteger rung = new AtomicInteger();
    OutboxStore store = relays.store();
    store.heartbeat("a", Duration.ofMinutes(10), RelayCounts.NONE);
    store.resting("a", true);
    try (AutoCloseable listening = store.onBell(rung::incrementAndGet)) {
      assertThat(listening).isNotNull();
      Together.until(() -> rung.get() == 1);
      long first = number(LISTENING);
      number("SELECT count(pg_terminate_backend(" + first + "))");
      Together.until(() -> rung.get() == 2); // it listens again
      write("1");
      Together.until(() -> rung.get() == 3);
      assertThat(number(LISTENING)).isNotEqualTo(first);
    }
  }

  @Test
  void relaysConnectionIsOpenedAgainAfterItWasLost() {
    write("1");
    OutboxStore store = relays.store();
    List<OutboxEntry> read = store.read(ALL, 10);
    store.published(List.of());
    number(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    assertThatThrownBy(() -> store.read(ALL, 10))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the messages were not read");
    assertThat(store.read(ALL, 10)).hasSize(1);
    store.published(read);
    assertThat(store.read(ALL, 10)).isEmpty();
  }

  /** Marked by the relay that had the partition before, and got the broker's confirmation late. */
  @Test
  void messageThatAnotherRelayMarksAsPublishedIsNotBuried() throws SQLException {
    write("1");
    OutboxStore store = relays.store();
    store.heartbeat("a", Duration.ofMinutes(10), RelayCounts.NONE);
    OutboxEntry refused = store.read(ALL, 10).getFirst();
    try (Connection other = database.dataSource().getConnection()) {
      other.setAutoCommit(false);
      HandlerCall.execute(other, "DELETE FROM semel_outbox");
      Beside<Boolean> buried = Together.beside(() -> store.bury("a", refused, "refused"));
      Together.until(
          () ->
              number(
                      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                          + " AND wait_event_type = 'Lock'")
                  > 0);
      other.commit();
      assertThat(buried.result()).isFalse();
    }
    assertThat(number("SELECT count(*) FROM semel_outbox_dead")).isZero();
  }

  /**
   * PostgreSQL keeps a plan made while the table is empty, so that plan must stay good for ever.
   */
  @Test
  void plansOfAnEmptyTableNeverReadAllOfIt() throws SQLException {
    OutboxStore store = relays.store();
    Set<Integer> mine = store.heartbeat("a", Duration.ofMinutes(10), RelayCounts.NONE).partitions();
    for (int i = 0; i < 20; i++) {
      store.read(ALL, 100);
      store.retrying(mine);
    }
    for (int round = 0; round < 10; round++) {
      String id = "m" + round;
      writers.executeWithMessages(
          connection ->
              IntStream.range(0, 500)
                  .mapToObj(i -> Message.of("orders", "x").withId(id + i).withOrderingKey("k" + i))
                  .toList());
      store.published(store.read(ALL, 10));
    }
    assertThat(store.retrying(mine)).isEmpty();
    relays.close(); // a session reports its counts when it ends
    String scans = " FROM pg_stat_user_tables WHERE relname = 'semel_outbox'";
    Together.until(() -> number("SELECT idx_scan" + scans) > 0);
    long whenItsIndexesWereBuilt = 2;
    assertThat(number("SELECT seq_scan" + scans)).isLessThanOrEqualTo(whenItsIndexesWereBuilt);
  }

  @Test
  void auditWithoutHistoryIsRefused() {
    assertThatThrownBy(() -> writers.audit("SELECT 'x'"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("keepHistory");
  }

  @Test
  void messageWithALowerNumberThatCommitsLaterIsNotLost() throws SQLException {
    OutboxStore store = relays.store();
    try (Connection first = database.dataSource().getConnection();
        Connection second = database.dataSource().getConnection()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      writers.add(first, Message.of("orders", "x").withId("begun first").withOrderingKey("a"));
      writers.add(second, Message.of("orders", "x").withId("ended first").withOrderingKey("a"));
      second.commit();
      assertThat(store.read(ALL, 10)).hasSize(1);
      store.published(store.read(ALL, 10));
      first.commit();
      assertThat(store.read(ALL, 10).getFirst().message().id()).isEqualTo("begun first");
    }
  }
}
