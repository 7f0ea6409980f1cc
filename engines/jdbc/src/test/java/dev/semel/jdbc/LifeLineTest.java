package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.StoreAdmin;
import dev.semel.admin.TimelineEntry;
import dev.semel.admin.TimelineEntry.Source;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.OperationSetting;
import dev.semel.inbox.ConsumerListener;
import dev.semel.inbox.ConsumerSettings;
import dev.semel.inbox.DeadLetters;
import dev.semel.inbox.MessageConsumer;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.job.Job;
import dev.semel.loop.Platform;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayListener;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One key from its claim to the last handler of its message; the same code on every engine. */
class LifeLineTest {
  private static final Key KEY = Key.of("acme", "orders", "17");
  private static final Message PARCEL = Message.of("parcels", "{}").withId("parcel-17");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private SqliteStore store;

  @SuppressWarnings("NullAway.Init")
  private JdbcOutbox outbox;

  @SuppressWarnings("NullAway.Init")
  private JdbcInbox inbox;

  @SuppressWarnings("NullAway.Init")
  private JdbcJobs jobs;

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system());
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults().withKeepHistory(Duration.ofDays(1)));
    inbox = JdbcInbox.on(store);
    jobs = JdbcJobs.on(store);
  }

  @AfterEach
  void close() {
    jobs.close();
    inbox.close();
    outbox.close();
    store.close();
  }

  private KeyTimeline line() {
    return AdminTargets.of(store)
        .withOutbox(outbox.operations())
        .withInbox(inbox.operations())
        .withJobs(jobs)
        .as("ann")
        .lifeLine(KEY);
  }

  private static List<String> words(KeyTimeline line) {
    return line.moments().stream()
        .map(moment -> moment.source().name().toLowerCase(Locale.ROOT) + " " + moment.kind())
        .toList();
  }

  private static TimelineEntry only(KeyTimeline line, Source source, String kind) {
    List<TimelineEntry> found =
        line.moments().stream()
            .filter(moment -> moment.source() == source && moment.kind().equals(kind))
            .toList();
    assertThat(found).as("%s %s in %s", source, kind, words(line)).hasSize(1);
    return found.getFirst();
  }

  /** Executes an order twice; its message is in the outbox. */
  private void order() throws SQLException {
    try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
        TransactionalIdempotency transactional = TransactionalIdempotency.on(store, maintenance)) {
      for (int times = 0; times < 2; times++) {
        transactional.execute(
            ExecutionRequest.of(KEY, Codec.utf8()),
            (connection, execution) -> {
              outbox.add(connection, PARCEL);
              return "ordered";
            });
      }
    }
  }

  /** The message reaches its consumer. */
  private void deliver(ConsumerInbox consumerInbox) {
    try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
        MemoryTransport transport = new MemoryTransport();
        MessageConsumer consumer =
            MessageConsumer.start(
                Platform.REAL,
                "warehouse",
                transport.subscribe("parcels", "warehouse", SubscribeSettings.defaults()),
                consumerInbox,
                DeadLetters.to(transport, "dead"),
                ConsumerSettings.defaults(),
                ConsumerListener.to("warehouse", maintenance.listener()));
        Relay relay =
            Relay.start(
                Platform.REAL,
                outbox.store(),
                transport,
                RelaySettings.defaults(),
                RelayListener.to(maintenance.listener()))) {
      await().until(() -> consumer.counts().done() == 1 && relay.counts().published() == 1);
    }
  }

  @Test
  void everythingFromTheClaimToTheLastHandlerIsOneLine() throws SQLException {
    order();
    KeyTimeline before = line();
    assertThat(only(before, Source.OUTBOX, "pending").facts())
        .containsEntry("message", "parcel-17")
        .containsEntry("destination", "parcels");
    deliver(inbox.consumerInbox("warehouse", (connection, message) -> {}));

    KeyTimeline line = line();

    assertThat(line.masked()).isFalse();
    assertThat(line.cut()).isFalse();
    assertThat(line.moments()).isSortedAccordingTo(Comparator.comparing(TimelineEntry::at));
    assertThat(words(line))
        .contains("events claimed", "events completed", "events replayed")
        // A consumer may be faster than the confirmation to the publisher.
        .containsSubsequence("events completed", "events published")
        .containsSubsequence("events completed", "events consumed")
        .containsSubsequence(
            "record claimed", "outbox published", "record stands", "record expires")
        .endsWith("record stands", "record expires")
        .doesNotContain("outbox pending", "inbox stored");
    assertThat(only(line, Source.RECORD, "stands").facts()).containsEntry("state", "completed");
    assertThat(only(line, Source.EVENTS, "consumed").facts())
        .containsEntry("consumer", "warehouse")
        .containsEntry("message", "parcel-17");
    assertThat(only(line, Source.EVENTS, "claimed").who())
        .isNotEmpty()
        .isNotEqualTo(only(line, Source.EVENTS, "consumed").who());
  }

  @Test
  void whatWaitsInAnInboxAndWhatOperatorsDidIsOnTheLine() throws SQLException {
    order();
    deliver(inbox.storing("warehouse"));
    assertThat(new StoreAdmin(store, "ann").forceRelease(KEY))
        .isEqualTo(StoreAdmin.Release.RELEASED);

    KeyTimeline line = line();

    assertThat(only(line, Source.INBOX, "stored").facts()).containsEntry("consumer", "warehouse");
    TimelineEntry changed = only(line, Source.EVENTS, "changed");
    assertThat(changed.who()).isEqualTo("ann");
    assertThat(changed.facts()).containsEntry("action", "force release key");
    assertThat(only(line, Source.RECORD, "stands").facts()).containsEntry("state", "released");
  }

  @Test
  void aJobOfTheKeyIsOnTheLine() {
    jobs.enqueue(Job.of(KEY, "{}").withDelay(Duration.ofHours(1)));
    KeyTimeline line = line();
    assertThat(words(line)).containsExactly("jobs enqueued", "jobs stands", "jobs due");
    assertThat(only(line, Source.JOBS, "stands").facts()).containsEntry("state", "pending");
  }

  @Test
  void maskedEventsAreFoundAndNameNobody() throws SQLException {
    new StoreAdmin(store, "ann").change(KEY.operation(), Map.of(OperationSetting.MASK_IDS, "true"));
    order();

    KeyTimeline line = line();

    assertThat(line.masked()).isTrue();
    assertThat(words(line)).contains("events claimed", "events replayed", "outbox pending");
    assertThat(only(line, Source.EVENTS, "claimed").facts()).containsOnlyKeys("attempt");
  }

  @Test
  void whatWasErasedIsGoneAndTheRecordStays() throws SQLException {
    order();
    assertThat(new StoreAdmin(store, "ann").erase(KEY)).isPositive();
    KeyTimeline line = line();
    assertThat(words(line))
        .containsExactly("record claimed", "outbox pending", "record stands", "record expires");
  }

  @Test
  void nobodyKnowsAKeyThatWasNeverAskedFor() {
    assertThat(line().isEmpty()).isTrue();
  }
}
