package dev.semel.benchmarks.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.Rounds;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.PostgresStore;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.testservices.PostgresService;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A relay and a consumer over a real broker against loops with the bare client. The relay empties a
 * table, the bare loop sends from memory; the consumer and its bare loop run the same statements.
 */
public final class TransportRace {
  /** For both relay and bare loop. */
  static final int BATCH = 1000;

  private static final int TAKEN_AT_ONCE = 100;
  private static final int PAYLOAD = 256;
  private static final int KEYS = 1000;
  private static final int ROUNDS = 5;
  private static final double GOAL = 0.7;

  private final RacedBroker broker;
  private final Shares relayed = new Shares();
  private final Shares consumed = new Shares();
  private int consumers;

  private TransportRace(RacedBroker broker) {
    this.broker = broker;
  }

  /** Prints the figures. */
  public static void run(Findings out, RacedBroker broker, int sent, int received)
      throws Exception {
    try (PostgresService service = PostgresService.start();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(16);
      PostgresStore store = PostgresStore.open(pool);
      TransportRace race = new TransportRace(broker);
      Rounds rounds = new Rounds(out, ROUNDS);
      int to = out.pace().count(sent);
      int from = out.pace().count(received);
      try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
        Drains drains = new Drains(pool, outbox);
        rounds.limit(
            "relay to " + broker.name(),
            () -> to / race.relay(drains, outbox, to),
            "bare publish loop",
            () -> to / race.publish(to),
            GOAL);
        out.say("the relay's time: %s", race.relayed.text("the broker, and itself"));
      }
      try (JdbcInbox inbox = JdbcInbox.on(store)) {
        BareInbox bare = new BareInbox(pool);
        rounds.limit(
            "consumer from " + broker.name(),
            () -> from / race.consumer(inbox, bare, from),
            "bare loop, same statements",
            () -> from / race.consume(bare, from),
            GOAL);
        out.say("the consumer's time: %s", race.consumed.text("itself"));
      }
    }
  }

  private double relay(Drains drains, JdbcOutbox outbox, int count) throws Exception {
    drains.fill(count, broker.freshDestination());
    RelaySettings settings = RelaySettings.defaults().withBatch(BATCH).withMaxInFlight(BATCH);
    long started = System.nanoTime();
    try (Relay relay =
        Relay.start(new TimedOutbox(outbox.store(), relayed), broker.transport(), settings)) {
      while (relay.counts().published() < count) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return relayed.took((System.nanoTime() - started) / 1e9);
    }
  }

  private double publish(int count) throws Exception {
    List<Message> messages = messages(broker.freshDestination(), count);
    long started = System.nanoTime();
    broker.publishBare(messages, BATCH);
    return (System.nanoTime() - started) / 1e9;
  }

  static List<Message> messages(String destination, int count) {
    byte[] payload = "x".repeat(PAYLOAD).getBytes(StandardCharsets.US_ASCII);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Message.of(destination, payload)
                    .withId(UUID.randomUUID().toString())
                    .withOrderingKey("k" + i % KEYS))
        .toList();
  }

  private double consumer(JdbcInbox inbox, BareInbox bare, int count) throws Exception {
    String destination = broker.freshDestination();
    broker.publishBare(messages(destination, count), BATCH);
    String name = "raced-" + consumers++;
    long started = System.nanoTime();
    try (MessageConsumer consumer =
        MessageConsumer.start(
            name,
            new TimedSubscription(
                broker
                    .transport()
                    .subscribe(destination, name, SubscribeSettings.defaults(), inbox.positions()),
                consumed),
            new TimedConsumerInbox(
                inbox.consumerInbox(name, (connection, message) -> bare.update(connection)),
                consumed),
            DeadLetters.to(broker.transport(), destination),
            ConsumerSettings.defaults().withBatch(TAKEN_AT_ONCE))) {
      while (consumer.counts().done() < count) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return consumed.took((System.nanoTime() - started) / 1e9);
    }
  }

  private double consume(BareInbox bare, int count) throws Exception {
    String destination = broker.freshDestination();
    broker.publishBare(messages(destination, count), BATCH);
    String name = "bare-" + consumers++;
    long started = System.nanoTime();
    broker.consumeBare(destination, count, TAKEN_AT_ONCE, ids -> bare.take(name, ids));
    return (System.nanoTime() - started) / 1e9;
  }
}
