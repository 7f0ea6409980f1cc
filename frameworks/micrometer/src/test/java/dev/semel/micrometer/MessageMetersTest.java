package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.event.Event;
import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.MessageRejected;
import dev.semel.jdbc.InboxWorkerSettings;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.loop.Platform;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.MemoryTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Subscription;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SemelMeters meters = new SemelMeters(registry);

  @Test
  void messagesAreCountedFromTheOutboxToTheHandler(@TempDir Path folder) {
    MemoryTransportSettings known = MemoryTransportSettings.defaults().withMaxMessageBytes(1000);
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
        MemoryTransport transport = new MemoryTransport(Platform.REAL, known);
        JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
        JdbcInbox inbox = JdbcInbox.on(store);
        Subscription subscription =
            transport.subscribe("orders", "ledger", SubscribeSettings.defaults());
        StatusMeters status = status(store, outbox, inbox)) {
      outbox.executeWithMessages(
          connection ->
              List.of(
                  Message.of("orders", "good"),
                  Message.of("orders", "bad"),
                  Message.of("orders", "x".repeat(2000))));
      status.refresh();
      await().untilAsserted(() -> assertThat(gauge("semel.outbox.pending")).isEqualTo(3));
      assertThat(gauge("semel.outbox.oldest.age")).isNotNegative();

      try (Relay relay =
              Relay.start(
                  Platform.REAL,
                  outbox.store(),
                  transport,
                  RelaySettings.defaults(),
                  RelayListener.to(meters));
          MessageConsumer consumer = consumer(subscription, inbox)) {
        await()
            .ignoreExceptionsInstanceOf(MeterNotFoundException.class) // until the first one is sent
            .untilAsserted(
                () -> {
                  assertThat(relayed("semel.outbox.published", "new")).isEqualTo(2);
                  assertThat(counter("semel.outbox.refused", "destination", "orders")).isEqualTo(1);
                  assertThat(counter("semel.outbox.dead", "destination", "orders")).isEqualTo(1);
                  assertThat(consumed("semel.inbox.consumed", "done")).isEqualTo(1);
                  assertThat(counter("semel.inbox.failed", "consumer", "ledger")).isEqualTo(1);
                  assertThat(counter("semel.inbox.dead", "consumer", "ledger")).isEqualTo(1);
                });
        status.refresh();
        await()
            .untilAsserted(
                () -> {
                  assertThat(gauge("semel.outbox.pending")).isZero();
                  assertThat(gauge("semel.outbox.dead.letters")).isEqualTo(1);
                  assertThat(gauge("semel.outbox.relays")).isEqualTo(1);
                  assertThat(gauge("semel.inbox.pending")).isZero();
                });
        assertThat(relay.counts().dead() + consumer.counts().dead()).isEqualTo(2);
      }
    }
  }

  @Test
  void aDeadLetterOfTheInboxShowsWithTheNextSample(@TempDir Path folder) {
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
        JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults());
        JdbcInbox inbox = JdbcInbox.on(store);
        StatusMeters status =
            StatusMeters.start(
                registry,
                new StatusMeters.Sources(
                    store, Optional.of(outbox.operations()), Optional.of(inbox.operations())),
                MeterSettings.defaults().withSampleEvery(Duration.ofHours(1)))) {
      await().untilAsserted(() -> assertThat(gauge("semel.inbox.dead.letters")).isZero());
      inbox.storing("ledger").take(List.of(Message.of("orders", "bad")));
      inbox
          .worker(
              "ledger",
              (connection, message) -> {
                throw new MessageRejected("never");
              },
              InboxWorkerSettings.defaults())
          .runOnce();
      status.refresh();
      await().untilAsserted(() -> assertThat(gauge("semel.inbox.dead.letters")).isEqualTo(1));
      assertThat(gauge("semel.inbox.ids")).as("is counted seldom").isZero();
    }
  }

  private StatusMeters status(SqliteStore store, JdbcOutbox outbox, JdbcInbox inbox) {
    return StatusMeters.start(
        registry,
        new StatusMeters.Sources(
            store, Optional.of(outbox.operations()), Optional.of(inbox.operations())),
        MeterSettings.defaults().withSampleEvery(Duration.ofSeconds(1)));
  }

  private MessageConsumer consumer(Subscription subscription, JdbcInbox inbox) {
    DeadLetters nowhere = (consumer, message, attempts, reason) -> {};
    return MessageConsumer.start(
        Platform.REAL,
        "ledger",
        subscription,
        inbox.consumerInbox(
            "ledger",
            (connection, message) -> {
              if (new String(message.payload(), StandardCharsets.UTF_8).equals("bad")) {
                throw new MessageRejected("never");
              }
            }),
        nowhere,
        ConsumerSettings.defaults(),
        ConsumerListener.to("ledger", meters));
  }

  @Test
  void messagesThatWereMissingAreCounted() {
    meters.on(new Event.Rebuilt(mention("orders", "")));
    assertThat(counter("semel.outbox.rebuilt", "destination", "orders")).isEqualTo(1);
  }

  @Test
  void repeatsAreToldApartAndDestinationsAreLimited() {
    SemelMeters few = new SemelMeters(registry, MeterSettings.defaults().withMaxDestinations(1));
    few.on(new Event.Published(mention("orders", ""), true));
    few.on(new Event.Published(mention("invoices", ""), false));
    few.on(new Event.Redelivered(mention("orders", "ledger")));
    few.on(new Event.Redelivered(mention("orders", "mailer")));
    assertThat(relayed("semel.outbox.published", "duplicate")).isEqualTo(1);
    assertThat(
            registry
                .get("semel.outbox.published")
                .tags("destination", "other", "outcome", "new")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(consumed("semel.inbox.consumed", "duplicate")).isEqualTo(1);
    assertThat(
            registry
                .get("semel.inbox.consumed")
                .tags("consumer", "other", "outcome", "duplicate")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void whatBelongsToNoKeyIsCountedToo() {
    meters.on(new Event.ClockSkewed(Duration.ofSeconds(5)));
    meters.on(new Event.Changed("ann", "delete key", "a/b:c"));
    meters.on(new Event.Skipped(7, 3));
    meters.on(new Event.AlertChanged("outbox-lag", "", "critical", true, 400, 300, "late", "look"));
    meters.on(new Event.AlertChanged("outbox-lag", "", "critical", false, 0, 300, "late", ""));
    assertThat(
            registry
                .get("semel.alert.changes")
                .tags("alert", "outbox-lag", "outcome", "firing")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(registry.get("semel.clock.skewed").counter().count()).isEqualTo(1);
    assertThat(registry.get("semel.changes").counter().count()).isEqualTo(1);
    assertThat(registry.get("semel.events.skipped").counter().count()).isEqualTo(7);
  }

  private static Event.Mention mention(String destination, String consumer) {
    return new Event.Mention("id", destination, consumer, "");
  }

  private double relayed(String name, String outcome) {
    return registry.get(name).tags("destination", "orders", "outcome", outcome).counter().count();
  }

  private double consumed(String name, String outcome) {
    return registry.get(name).tags("consumer", "ledger", "outcome", outcome).counter().count();
  }

  private double counter(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).counter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
