package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.idempotency.Idempotency;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageConsumer;
import dev.semel.job.EnqueueResult;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Orders whose message never reached the outbox, end to end: an audit, which is a job itself, finds
 * and rebuilds them, and a message that is rebuilt needlessly causes no second parcel.
 */
final class LostMessageTest {
  private static final Operation SHIPPING = new Operation("shipping");
  private static final Operation AUDIT = new Operation("outbox-audit");
  private static final String ORDERS = "SELECT id FROM orders";

  private static final ProcessorSettings QUICK =
      ProcessorSettings.defaults().withWorkers(2).withPoll(Duration.ofMillis(5));

  @TempDir Path folder;
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> parcels = new CopyOnWriteArrayList<>();
  private SqliteStore store;
  private JdbcOutbox outbox;
  private Idempotency idempotency;
  private Jobs jobs;

  @BeforeEach
  void open() throws SQLException {
    store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults().withKeepHistory(Duration.ofHours(1)));
    idempotency = new Idempotency(store, events::add);
    jobs = new Jobs(JdbcJobs.on(store), idempotency.maintenance());
    run("CREATE TABLE orders (id text PRIMARY KEY)");
  }

  @AfterEach
  void close() {
    idempotency.close();
    outbox.close();
    store.close();
  }

  private static Message message(String id) {
    return Message.of("orders", "order " + id).withId(id);
  }

  /** Runs a statement in a transaction with these messages. */
  private void run(String sql, Message... messages) throws SQLException {
    outbox.executeWithOutbox(
        connection -> {
          execute(connection, sql);
          return true;
        },
        messages);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String order(String id) {
    return "INSERT INTO orders VALUES ('%s')".formatted(id);
  }

  /** Enqueues a job with the message's id; the queue detects duplicates. */
  private List<HandleResult> take(List<Message> messages) {
    return messages.stream()
        .<HandleResult>map(
            message ->
                jobs.enqueue(Job.of(Key.of(SHIPPING.name(), message.id()), message.payload()))
                        instanceof EnqueueResult.Added
                    ? new HandleResult.Done()
                    : new HandleResult.Duplicate())
        .toList();
  }

  private void audit(String day) {
    jobs.enqueue(Job.of(Key.of(AUDIT.name(), day), ""));
  }

  private List<String> rebuilt() {
    return events.stream()
        .filter(Event.Rebuilt.class::isInstance)
        .map(event -> ((Event.Rebuilt) event).message().id())
        .toList();
  }

  @Test
  void messageThatNeverReachedTheOutboxIsFoundAndTakesEffectOnce() throws SQLException {
    MemoryTransport transport = new MemoryTransport();
    try (transport;
        MessageConsumer consumer =
            MessageConsumer.start(
                "shipping",
                transport.subscribe("orders", "shipping", SubscribeSettings.defaults()),
                this::take,
                DeadLetters.to(transport, "dead-orders"),
                ConsumerSettings.defaults());
        Relay relay =
            Relay.start(
                outbox.store(),
                transport,
                RelaySettings.defaults().withPoll(Duration.ofMillis(5)));
        ExactlyOnceProcessor shipping =
            ExactlyOnceProcessor.start(
                jobs,
                idempotency,
                SHIPPING,
                (job, execution) -> parcels.add(job.key().id()),
                QUICK);
        ExactlyOnceProcessor auditing =
            ExactlyOnceProcessor.start(
                jobs,
                idempotency,
                AUDIT,
                (job, execution) ->
                    outbox.rebuild(ORDERS, id -> Optional.of(message(id)), idempotency.listener()),
                QUICK)) {
      run(order("told"), message("told"));
      run(order("forgotten"));
      await().until(() -> parcels.contains("told"));
      await().until(() -> outbox.operations().status().kept() == 1);
      assertThat(outbox.audit(ORDERS)).containsExactly("forgotten");

      audit("2026-11-17");
      await().until(() -> parcels.contains("forgotten"));
      await().until(() -> outbox.operations().status().kept() == 2);
      assertThat(outbox.audit(ORDERS)).isEmpty();
      assertThat(rebuilt()).containsExactly("forgotten");

      run("DELETE FROM semel_outbox_history"); // then the audit takes all of them for lost
      audit("2026-11-18");
      await().until(() -> outbox.operations().status().kept() == 2);
      assertThat(rebuilt()).hasSize(3);
      assertThat(auditing.counts().executed()).isEqualTo(2);
      assertThat(shipping.counts().executed()).isEqualTo(2);
      assertThat(relay.counts().dead() + consumer.counts().dead()).isZero();
    }
    assertThat(parcels).containsExactly("told", "forgotten");
  }
}
