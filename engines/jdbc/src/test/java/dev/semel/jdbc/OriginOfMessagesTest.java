package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Maintenance;
import dev.semel.inbox.HandleResult;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An added message's headers name the current execution; the same code on every engine. */
class OriginOfMessagesTest {
  private static final Key KEY = Key.of("acme", "orders", "17");
  private static final Message HEARD =
      Message.of("orders", "{}").withId("heard").withKey(KEY).withCorrelationId("all-of-it");
  private static final Map<String, String> FOLLOWS =
      Map.of(
          Message.SEMEL_KEY, KEY.text(),
          Message.CAUSATION_ID, "heard",
          Message.CORRELATION_ID, "all-of-it");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private SqliteStore store;

  @SuppressWarnings("NullAway.Init")
  private JdbcOutbox outbox;

  @SuppressWarnings("NullAway.Init")
  private JdbcInbox inbox;

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
    inbox = JdbcInbox.on(store);
  }

  @AfterEach
  void close() {
    inbox.close();
    outbox.close();
    store.close();
  }

  private static Message message() {
    return Message.of("parcels", "{}");
  }

  private Map<String, String> added() {
    List<ReadRange> all =
        IntStream.range(0, OutboxStore.PARTITIONS)
            .mapToObj(p -> new ReadRange(p, 0, Set.of(), Set.of()))
            .toList();
    return outbox.store().read(all, 10).getFirst().message().headers();
  }

  @Test
  void anExecutionInTheSameTransaction() throws SQLException {
    try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
        TransactionalIdempotency transactional = TransactionalIdempotency.on(store, maintenance)) {
      transactional.execute(
          ExecutionRequest.of(KEY, Codec.utf8()),
          (connection, execution) -> {
            outbox.add(connection, message());
            return "";
          });
    }
    assertThat(added()).isEqualTo(Map.of(Message.SEMEL_KEY, KEY.text()));
  }

  @Test
  void aHandlerOfAConsumerInbox() {
    List<HandleResult> handled =
        inbox
            .consumerInbox("warehouse", (connection, heard) -> outbox.add(connection, message()))
            .take(List.of(HEARD));
    assertThat(handled).containsExactly(new HandleResult.Done());
    assertThat(added()).isEqualTo(FOLLOWS);
  }

  @Test
  void aHandlerInTheCallersTransaction() throws Exception {
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("semel.db"))) {
      connection.setAutoCommit(false);
      inbox.handle(
          connection,
          "warehouse",
          HEARD,
          (Connection same, Message heard) -> outbox.add(same, message()));
      connection.commit();
    }
    assertThat(added()).isEqualTo(FOLLOWS);
  }

  @Test
  void aHandlerWithEffectsOutside() {
    inbox
        .outside(
            "warehouse",
            heard -> outbox.executeWithOutbox(connection -> true, message()),
            OutsideMode.AT_MOST_ONCE)
        .take(List.of(HEARD));
    assertThat(added()).isEqualTo(FOLLOWS);
  }

  @Test
  void aHandlerOfWhatWasStored() {
    inbox.storing("warehouse").take(List.of(HEARD));
    inbox
        .worker(
            "warehouse",
            (connection, heard) -> outbox.add(connection, message()),
            InboxWorkerSettings.defaults())
        .runOnce();
    assertThat(added()).isEqualTo(FOLLOWS);
  }

  @Test
  void whatIsSaidToHaveBeenAddedIsWhatWasAdded() {
    List<Message> said =
        HEARD.origin().call(() -> outbox.executeWithMessages(connection -> List.of(message())));
    assertThat(said.getFirst().headers()).isEqualTo(FOLLOWS).isEqualTo(added());
  }
}
