package dev.semel.webtest;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.MessageRejected;
import dev.semel.jdbc.InboxWorker;
import dev.semel.jdbc.InboxWorkerSettings;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.RelaySettings;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.MemoryTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application with a database of its own connections: payments that are asked for twice, orders
 * that are told of, exports of which one fails until someone mends it.
 */
final class Shop implements AutoCloseable {
  static final Operation EXPORTS = new Operation("exports");

  private static final long SEED = 17;

  /** What its broker carries; a larger message is a dead letter. */
  static final int MOST_BYTES = 4 << 10;

  private static final Duration PAUSE = Duration.ofMillis(40);

  private final HikariDataSource pool = new HikariDataSource();
  private final PostgresStore store;
  private final Idempotency idempotency;
  private final JdbcOutbox outbox;
  private final JdbcInbox inbox;
  private final Jobs jobs;
  private final MemoryTransport broker =
      new MemoryTransport(
          Platform.REAL, MemoryTransportSettings.defaults().withMaxMessageBytes(MOST_BYTES));
  private final Relay relay;
  private final MessageConsumer consumer;
  private final ExactlyOnceProcessor processor;
  private final Loop stock;
  private final Random chance = new Random(SEED);
  private final AtomicInteger orders = new AtomicInteger();
  private final AtomicInteger ran = new AtomicInteger();

  /** What the worker was given, in order. */
  final List<String> exported = new CopyOnWriteArrayList<>();

  /** What the ledger heard, in order. */
  final List<String> booked = new CopyOnWriteArrayList<>();

  /** What took effect in the stock, in order. */
  final List<String> stocked = new CopyOnWriteArrayList<>();

  Shop(TestDatabase database) {
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(8);
    store = PostgresStore.open(pool);
    idempotency = new Idempotency(store, SemelListener.NONE);
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults().withKeepHistory(Duration.ofHours(1)));
    inbox = JdbcInbox.on(store);
    jobs = new Jobs(JdbcJobs.on(store), idempotency.maintenance());
    relay =
        Relay.start(
            Platform.REAL,
            outbox.store(),
            broker,
            RelaySettings.defaults(),
            RelayListener.to(idempotency.listener()));
    consumer =
        MessageConsumer.start(
            Platform.REAL,
            "ledger",
            broker.subscribe("orders", "ledger", SubscribeSettings.defaults()),
            inbox.consumerInbox("ledger", (connection, message) -> booked.add(text(message))),
            DeadLetters.to(broker, "dead"),
            ConsumerSettings.defaults(),
            ConsumerListener.to("ledger", idempotency.listener()));
    processor =
        ExactlyOnceProcessor.start(
            jobs,
            idempotency,
            EXPORTS,
            (job, execution) -> export(job),
            ProcessorSettings.defaults()
                .withRetries(2, Duration.ofMillis(1), Duration.ofMillis(1)));
    InboxWorker worker =
        inbox.worker(
            "stock",
            (connection, message) -> stock(message),
            InboxWorkerSettings.defaults().withMaxAttempts(1));
    stock = Loop.start("stock", worker::runOnce, PAUSE);
  }

  /** Each byte a letter: what is not text can be compared too. */
  private static String text(Message message) {
    return message.id() + " " + new String(message.payload(), StandardCharsets.ISO_8859_1);
  }

  private void stock(Message message) {
    String text = text(message);
    if (text.contains("broken")) {
      throw new MessageRejected("there is no such shelf");
    }
    stocked.add(text);
  }

  private void export(Job job) {
    exported.add(job.text());
    if (job.text().contains("broken")) {
      throw new IllegalStateException("the printer is out of paper for " + job.text());
    }
  }

  /** Pays, and tells of it: the message carries the payment's key. */
  void pay(String operation, String id) throws Exception {
    idempotency.<String, Exception>execute(
        Key.of(operation, id),
        Fingerprint.NONE,
        Codec.utf8(),
        execution -> {
          outbox.executeWithOutbox(
              connection -> "",
              Message.of("orders", "{\"order\":\"paid\"}")
                  .withId("message-" + operation + "-" + id)
                  .withOrderingKey("customer-" + Math.floorMod(id.hashCode(), 7))
                  .withType("order-paid"));
          return "{\"payment\":" + ran.incrementAndGet() + "}";
        });
  }

  /** Only what counts, without a message. */
  void ask(String operation, String id) throws Exception {
    idempotency.<String, Exception>execute(
        Key.of(operation, id),
        Fingerprint.NONE,
        Codec.utf8(),
        execution -> "done " + ran.incrementAndGet());
  }

  int ran() {
    return ran.get();
  }

  void enqueue(String id, String payload) {
    jobs.enqueue(Job.of(new Key(dev.semel.Tenant.DEFAULT, EXPORTS, id), payload));
  }

  /** As if it had come over a broker. */
  void deliver(Message message) {
    inbox.storing("stock").take(List.of(message));
  }

  /** Commits it to the outbox, whatever the broker says to it. */
  void tell(Message message) {
    outbox.executeWithOutbox(connection -> "", message);
  }

  /** Customers who come and press twice, until it is closed. */
  Loop customers() {
    return Loop.start("customers", this::visit, PAUSE);
  }

  private boolean visit() throws Exception {
    List<String> operations = List.of("payments", "webhooks", "users", "emails", "reports");
    String operation = operations.get(chance.nextInt(operations.size()));
    int order = chance.nextInt(100) < 80 ? orders.incrementAndGet() : Math.max(1, orders.get() - 3);
    pay(operation, operation.substring(0, 3) + "-" + Integer.toHexString(0x4121c8 + order * 7919));
    if (chance.nextInt(100) < 25) {
      pay(
          operation,
          operation.substring(0, 3) + "-" + Integer.toHexString(0x4121c8 + order * 7919));
    }
    return false;
  }

  @Override
  public void close() {
    stock.close();
    processor.close();
    consumer.close();
    relay.close();
    broker.close();
    jobs.queue().close();
    outbox.close();
    inbox.close();
    idempotency.close();
    store.close();
    pool.close();
  }
}
