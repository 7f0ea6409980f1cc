package dev.semel.rabbitmq;

import static dev.semel.tck.messages.TransportCalls.receiveAtLast;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.junit.Patience;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A relay whose broker is unreachable. */
@ExtendWith(SharedServices.class)
final class OutageTest {
  private static final Duration LIMIT = Patience.LIMIT;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  @Tag("proof")
  void aShortAbsenceOfTheBrokerLosesNothing() throws Exception {
    leave(Duration.ofSeconds(2), 500, (rabbit, store) -> queues(rabbit));
  }

  @Test
  @Tag("proof")
  void aMinuteWithoutTheBrokerLosesNothingAndFillsNoMemory() throws Exception {
    leave(Duration.ofMinutes(1), 20_000, (rabbit, store) -> queues(rabbit));
  }

  @Test
  @Tag("proof")
  void norDoStreamsInAMinute() throws Exception {
    leave(Duration.ofMinutes(1), 20_000, OutageTest::streams);
  }

  /** The transport for the messages. */
  private interface Carrier {
    Transport connect(RabbitService rabbit, SqliteStore store);
  }

  private static Transport queues(RabbitService rabbit) {
    return RabbitTransport.connect(settings(rabbit));
  }

  private static Transport streams(RabbitService rabbit, SqliteStore store) {
    return RabbitStreamTransport.connect(
        StreamsUnderTest.settings(rabbit).withDestination("orders"),
        JdbcInbox.on(store).positions());
  }

  private void leave(Duration away, int count, Carrier carrier) throws Exception {
    report.publishEntry(Map.of("outages", "1", "messages", "" + count));
    try (RabbitService rabbit = RabbitService.start();
        SqliteStore store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
        JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
        Transport transport = carrier.connect(rabbit, store);
        Relay relay = Relay.start(outbox.store(), transport, retrying())) {
      assertThat(relay.counts()).isNotNull();
      Set<String> sent = new HashSet<>();
      add(outbox, sent, count / 2);
      Patience.pass(StoppableRabbit.QUEUES_WRITTEN);
      rabbit.kill();
      add(outbox, sent, count - count / 2);
      System.gc();
      long before = used();
      Patience.pass(away);
      System.gc();
      assertThat(used() - before).as("memory grown meanwhile").isLessThan(32L << 20);
      rabbit.restart();
      Set<String> got = new HashSet<>();
      // Retries, because streams come up after queues, and subscribing in between fails.
      try (Subscription reader =
          await()
              .ignoreExceptionsInstanceOf(StoreException.class)
              .until(
                  () -> transport.subscribe("orders", "c", SubscribeSettings.defaults()),
                  subscribed -> true)) {
        long start = System.nanoTime();
        while (got.size() < count && System.nanoTime() - start < LIMIT.toNanos()) {
          List<Delivery> some = receiveAtLast(reader, 1);
          some.forEach(each -> got.add(each.message().id()));
          reader.acknowledge(some);
        }
      }
      assertThat(got).isEqualTo(sent);
      await().until(() -> rows(outbox, "semel_outbox") == 0);
      assertThat(rows(outbox, "semel_outbox_dead")).isZero();
    }
  }

  @Test
  @Tag("service")
  void whatIsTooLargeOrHasNoTakerIsADeadLetter(RabbitService rabbit) throws Exception {
    try (SqliteStore store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
        JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
        RabbitTransport transport = RabbitTransport.connect(settings(rabbit).withMaxBytes(1000));
        Relay relay = Relay.start(outbox.store(), transport, retrying())) {
      assertThat(relay.counts()).isNotNull();
      add(outbox, Message.of("orders", new byte[1001]));
      add(outbox, Message.of("nowhere", "lost"));
      add(outbox, Message.of("orders", new byte[1000]));
      await().until(() -> rows(outbox, "semel_outbox") == 0);
      assertThat(rows(outbox, "semel_outbox_dead")).isEqualTo(2);
    }
  }

  private static RabbitSettings settings(RabbitService rabbit) {
    return RabbitSettings.of(rabbit.url())
        .withDestination("orders", "c")
        .withPublishTimeout(Duration.ofSeconds(2));
  }

  private static RelaySettings retrying() {
    return RelaySettings.defaults().withRetries(1000, Duration.ofMillis(50), Duration.ofSeconds(1));
  }

  private static long used() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void add(JdbcOutbox outbox, Set<String> sent, int count) throws SQLException {
    List<Message> batch =
        IntStream.range(0, count).mapToObj(i -> Message.of("orders", "order " + i)).toList();
    batch.forEach(each -> sent.add(each.id()));
    add(outbox, batch.toArray(Message[]::new));
  }

  private static void add(JdbcOutbox outbox, Message... messages) throws SQLException {
    boolean unused = outbox.<Boolean, SQLException>executeWithOutbox(connection -> true, messages);
  }

  private static long rows(JdbcOutbox outbox, String table) throws SQLException {
    return outbox.<Long, SQLException>executeWithOutbox(connection -> count(connection, table));
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rs.next();
      return rs.getLong(1);
    }
  }
}
