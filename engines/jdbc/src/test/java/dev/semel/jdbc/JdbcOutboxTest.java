package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.event.SemelListener;
import dev.semel.internal.Ids;
import dev.semel.jdbc.internal.outbox.QueueReading;
import dev.semel.outbox.OutboxWork;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages and their transactions, the same on every engine. */
@OnEachEngine
final class JdbcOutboxTest {
  private final OutboxFixture fixture;

  JdbcOutboxTest(SqlUnderTest sql) {
    this.fixture = sql.outbox();
  }

  private JdbcOutbox outbox() {
    return fixture.outbox();
  }

  @BeforeEach
  void ordersTable() throws SQLException {
    fixture.emptied();
    fixture.execute("CREATE TABLE orders (id varchar(64) PRIMARY KEY)");
  }

  @AfterEach
  void dropOrders() throws SQLException {
    fixture.execute("DROP TABLE orders");
  }

  private static Message event(String id) {
    return Message.of("orders", "{\"order\":\"" + id + "\"}").withId(id);
  }

  private static void order(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private static boolean ordered(Connection connection, String id) throws SQLException {
    try (PreparedStatement look =
        connection.prepareStatement("SELECT count(*) FROM orders WHERE id = ?")) {
      look.setString(1, id);
      try (ResultSet rs = look.executeQuery()) {
        return rs.next() && rs.getInt(1) > 0;
      }
    }
  }

  private List<OutboxEntry> queue() {
    return outbox()
        .store()
        .read(
            IntStream.range(0, OutboxStore.PARTITIONS)
                .mapToObj(p -> new ReadRange(p, 0, Set.of(), Set.of()))
                .toList(),
            1000);
  }

  private List<String> queued() {
    return queue().stream().map(q -> q.message().id()).sorted().toList();
  }

  private long orders() throws SQLException {
    return fixture.number("SELECT count(*) FROM orders");
  }

  /** The retried command finds its order, and adds no second message. */
  @Test
  void processWorkBatch_OutboxNoDuplication_TransactionalBoundary() throws SQLException {
    OutboxWork<List<Message>, SQLException> createOrder =
        connection -> {
          if (ordered(connection, "order-1")) {
            return List.of();
          }
          order(connection, "order-1");
          return List.of(event("order-1"));
        };
    assertThat(outbox().executeWithMessages(createOrder)).hasSize(1);
    assertThat(outbox().executeWithMessages(createOrder)).isEmpty();
    assertThat(orders()).isOne();
    assertThat(queued()).containsExactly("order-1");
  }

  @Test
  void messageCommitsWithTheCallersTransaction() throws SQLException {
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      order(connection, "1");
      outbox().add(connection, event("1"), event("2"));
      assertThat(queued()).isEmpty();
      connection.commit();
    }
    assertThat(queued()).containsExactly("1", "2");
  }

  @Test
  void rollbackOfTheCallersTransactionLeavesNothing() throws SQLException {
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      order(connection, "1");
      outbox().add(connection, event("1"));
      connection.rollback();
    }
    assertThat(queued()).isEmpty();
    assertThat(orders()).isZero();
  }

  @Test
  void connectionThatCommitsByItselfIsRefused() throws SQLException {
    try (Connection connection = fixture.connect()) {
      assertThatThrownBy(() -> outbox().add(connection, event("1")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
    assertThat(queued()).isEmpty();
  }

  @Test
  void messageThatIsTooLargeIsRefusedAndTheTransactionGoesOn() throws SQLException {
    byte[] large = new byte[OutboxSettings.DEFAULT_MAX_PAYLOAD_BYTES + 1];
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      order(connection, "1");
      assertThatThrownBy(
              () -> outbox().add(connection, event("1"), Message.of("orders", large).withId("2")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("1048577")
          .hasMessageContaining("maxPayloadBytes");
      outbox().add(connection, event("3"));
      connection.commit();
    }
    assertThat(queued()).containsExactly("3");
    assertThat(orders()).isOne();
  }

  @Test
  void largestMessageFits() {
    byte[] largest = new byte[OutboxSettings.DEFAULT_MAX_PAYLOAD_BYTES];
    largest[largest.length - 1] = 7;
    outbox().executeWithOutbox(connection -> true, Message.of("orders", largest));
    assertThat(queue()).hasSize(1);
    assertThat(queue().getFirst().message().payload()).isEqualTo(largest);
  }

  @Test
  void manyMessagesFitInOneTransaction() {
    outbox()
        .executeWithMessages(
            connection -> IntStream.range(0, 1200).mapToObj(i -> event("many" + i)).toList());
    assertThat(queue()).hasSize(1200);
  }

  /** A read stops at its memory limit, and the next one continues there. */
  @Test
  void largeMessagesAreReadInPartsAndInOrder() {
    outbox()
        .executeWithMessages(
            connection ->
                IntStream.range(0, 40)
                    .mapToObj(i -> sized("m" + i, i % 10 == 9 ? 10 : 1 << 20))
                    .toList());
    List<OutboxEntry> first = queue();
    assertThat(first).hasSizeBetween(30, 39);
    assertThat(first.stream().mapToLong(q -> q.message().bytes()).sum())
        .isLessThan(QueueReading.MAX_LARGE_BYTES + (1 << 20));
    outbox().store().published(first);
    List<OutboxEntry> second = queue();
    outbox().store().published(second);
    List<String> ids =
        Stream.concat(first.stream(), second.stream()).map(q -> q.message().id()).toList();
    assertThat(ids).isEqualTo(IntStream.range(0, 40).mapToObj(i -> "m" + i).toList());
    assertThat(queue()).isEmpty();
  }

  private static Message sized(String id, int bytes) {
    return Message.of("orders", new byte[bytes]).withId(id).withOrderingKey("one key");
  }

  @Test
  void whatTheLogicThrowsIsThrownOnAndNothingIsSaid() throws SQLException {
    assertThatThrownBy(
            () ->
                outbox()
                    .executeWithOutbox(
                        connection -> {
                          order(connection, "1");
                          throw new IOException("no more paper");
                        },
                        event("1")))
        .isInstanceOf(IOException.class);
    assertThat(orders()).isZero();
    assertThat(queued()).isEmpty();
    String result =
        outbox()
            .<String, SQLException>executeWithOutbox(
                connection -> {
                  order(connection, "1");
                  return "done";
                },
                event("1"));
    assertThat(result).isEqualTo("done");
    assertThat(orders()).isOne();
    assertThat(queued()).containsExactly("1");
  }

  @Test
  void logicThatEndsItsTransactionIsTold() {
    assertThatThrownBy(
            () ->
                outbox()
                    .executeWithMessages(
                        connection -> {
                          connection.setAutoCommit(true);
                          return List.of();
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended its transaction");
    outbox().executeWithOutbox(connection -> true, event("1"));
    assertThat(queued()).containsExactly("1");
  }

  @Test
  void relayOfThisProcessIsWokenAfterTheCommitOnly() throws Exception {
    AtomicInteger rung = new AtomicInteger();
    try (AutoCloseable listening = outbox().store().onBell(rung::incrementAndGet)) {
      assertThat(listening).isNotNull();
      int before = rung.get();
      outbox()
          .executeWithOutbox(
              connection -> {
                assertThat(rung.get()).isLessThanOrEqualTo(before + 1);
                return true;
              },
              event("1"));
      Together.until(() -> rung.get() > before);
    }
    int after = rung.get();
    outbox().executeWithOutbox(connection -> true, event("2"));
    assertThat(rung).hasValue(after);
  }

  @Test
  void auditFindsWhatWasNeverSaidAndRebuildSaysIt() throws SQLException {
    for (String id : List.of("pending", "published", "dead", "lost-1", "lost-2")) {
      fixture.execute("INSERT INTO orders (id) VALUES ('" + id + "')");
    }
    outbox()
        .executeWithOutbox(connection -> true, event("pending"), event("published"), event("dead"));
    OutboxStore store = outbox().store();
    store.heartbeat("a", Duration.ofMinutes(10), RelayCounts.NONE);
    store.published(find("published"));
    store.bury("a", find("dead").getFirst(), "refused");
    String query = "SELECT id FROM orders";
    assertThat(outbox().audit(query)).containsExactlyInAnyOrder("lost-1", "lost-2");
    long rebuilt =
        outbox()
            .rebuild(query, id -> id.equals("lost-1") ? Optional.of(event(id)) : Optional.empty());
    assertThat(rebuilt).isOne();
    assertThat(outbox().audit(query)).containsExactly("lost-2");
    assertThat(queued()).containsExactly("lost-1", "pending");
    assertThatThrownBy(() -> outbox().rebuild(query, id -> Optional.of(event("another"))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("lost-2");
  }

  @Test
  void auditByNamesFindsMessagesWhoseIdsAreMadeOfThem() throws SQLException {
    for (String name : List.of("told", "lost")) {
      fixture.execute("INSERT INTO orders (id) VALUES ('" + name + "')");
    }
    outbox().executeWithOutbox(connection -> true, event("any").withIdOf("told"));
    assertThat(outbox().audit("SELECT id FROM orders")).contains("told", "lost");
    assertThat(outbox().auditNamed("SELECT id FROM orders")).containsExactly("lost");
    String rows =
        "SELECT id AS name, 'orders' AS destination, 'text' AS payload, 'key' AS ordering_key FROM orders";
    List<Message> missing = outbox().missing(rows);
    assertThat(missing).extracting(Message::id).containsExactly(Ids.named("lost").toString());
    assertThat(missing.getFirst().payload()).asString(StandardCharsets.UTF_8).isEqualTo("text");
    assertThat(outbox().rebuild(missing, SemelListener.NONE)).isOne();
    assertThat(outbox().missing(rows)).isEmpty();
    assertThat(outbox().auditNamed("SELECT id FROM orders")).isEmpty();
  }

  @Test
  void auditOnlyLooks() throws SQLException {
    fixture.execute("INSERT INTO orders (id) VALUES ('looked-at')");
    long before = fixture.number("SELECT count(*) FROM orders WHERE id <> 'changed'");
    for (String query :
        List.of(
            "UPDATE orders SET id = 'changed' RETURNING id",
            "INSERT INTO orders (id) VALUES ('changed') RETURNING id",
            "DELETE FROM orders RETURNING id",
            "SELECT 'x') DELETE FROM orders WHERE id <> ? RETURNING id /*")) {
      assertThatThrownBy(() -> outbox().audit(query)).as(query).isInstanceOf(InvalidInput.class);
    }
    assertThat(fixture.number("SELECT count(*) FROM orders WHERE id <> 'changed'"))
        .isEqualTo(before);
    assertThat(fixture.number("SELECT count(*) FROM orders")).isEqualTo(before);
    // The connection works again afterwards.
    outbox().executeWithOutbox(connection -> true, event("1"));
    assertThat(outbox().audit("SELECT id FROM orders WHERE id = 'looked-at'"))
        .containsExactly("looked-at");
  }

  private List<OutboxEntry> find(String id) {
    return queue().stream().filter(q -> q.message().id().equals(id)).toList();
  }

  @Test
  void oldHistoryGoesWithAHeartbeat() throws SQLException {
    outbox().executeWithOutbox(connection -> true, event("1"), event("2"), event("3"));
    outbox().store().published(queue());
    assertThat(outbox().operations().status().kept()).isEqualTo(3);
    fixture.execute("UPDATE semel_outbox_history SET since_millis = 1 WHERE id <> '2'");
    outbox().store().heartbeat("a", Duration.ofMinutes(10), RelayCounts.NONE);
    assertThat(outbox().operations().list(State.PUBLISHED, Filter.ALL, "", 10).entries())
        .extracting(entry -> entry.id())
        .containsExactly("2");
  }

  @Test
  void missingTableIsToldWithWhatToDo() throws SQLException {
    fixture.execute("ALTER TABLE semel_outbox RENAME TO elsewhere");
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> outbox().add(connection, event("1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("semel_outbox")
          .hasMessageContaining("SchemaSetup.CREATE");
      connection.rollback();
    } finally {
      fixture.execute("ALTER TABLE elsewhere RENAME TO semel_outbox");
    }
  }

  /** A row from another program must be reported, not interpreted. */
  @Test
  void foreignRowIsToldByItsPlace() throws SQLException {
    outbox().executeWithOutbox(connection -> true, event("1"));
    try (Connection connection = fixture.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE semel_outbox SET headers = '[1]'");
    }
    assertThatThrownBy(this::queue)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("repair or delete");
  }
}
