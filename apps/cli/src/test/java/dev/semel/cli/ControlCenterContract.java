package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.EditConflict;
import dev.semel.admin.HealthReport;
import dev.semel.admin.InboxAdmin;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.OperationRecord;
import dev.semel.admin.OutboxAdmin;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.StoreAdmin;
import dev.semel.admin.StoreStats;
import dev.semel.admin.TimelineEntry;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.event.EventLine;
import dev.semel.event.SemelListener;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcJobs;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.jdbc.OutboxSettings;
import dev.semel.jdbc.SqliteStore;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.Job;
import dev.semel.job.MemoryJobs;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every form of the control center, over targets on SQLite. */
abstract class ControlCenterContract {
  private static final Operation EXPORTS = new Operation("exports");

  @TempDir Path folder;
  private SqliteStore store;
  private JobQueue jobs;

  /** On another engine. */
  private final JobQueue beside = new MemoryJobs(InstantSource.system());

  private JdbcOutbox outbox;
  private JdbcInbox inbox;
  private ControlCenter center;

  /** The form under test. */
  abstract ControlCenter center(AdminTargets targets);

  /** The recorded name of the actor. */
  abstract String actor();

  /** Closes its resources. */
  abstract void end();

  @BeforeEach
  void open() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.order("sent").publish();
      shop.order("dead").bury("there is no such subject");
      shop.order("waits");
      shop.handle("ledger", "new").keep("stock", "first").reject("stock").keep("stock", "second");
    }
    store = SqliteStore.open(folder.resolve("shop.db"), InstantSource.system());
    jobs = JdbcJobs.on(store);
    outbox = JdbcOutbox.on(store, OutboxSettings.defaults().withKeepHistory(Duration.ofDays(1)));
    inbox = JdbcInbox.on(store);
    center =
        center(
            AdminTargets.of(store)
                .withJobs(jobs)
                .withJobs(beside)
                .withOutbox(outbox.operations())
                .withInbox(inbox.operations()));
  }

  @AfterEach
  void close() {
    center.close();
    end();
    inbox.close();
    outbox.close();
    jobs.close();
    store.close();
  }

  private void run(String operation, String... ids) throws Exception {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      for (String id : ids) {
        idempotency.execute(
            Key.of(operation, id), Fingerprint.NONE, Codec.utf8(), execution -> "did " + id);
      }
    }
  }

  private void leaveInDoubt(String id) {
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      assertThatThrownBy(
              () ->
                  idempotency.execute(
                      Key.of("pay", id),
                      Fingerprint.NONE,
                      Codec.utf8(),
                      execution -> {
                        throw new EffectUnknown("it was lost", new java.io.IOException());
                      }))
          .isInstanceOf(EffectUnknown.class);
    }
  }

  /** Actions of operators, oldest first. */
  private List<String> audit() {
    return center.latest("changed", 100).stream()
        .peek(line -> assertThat(member(line.personal().more(), "actor")).isEqualTo(actor()))
        .map(line -> member(line.details(), "action"))
        .toList();
  }

  private static String member(String json, String name) {
    return ((JsonValue.JsonString) ((JsonObject) Json.parse(json)).get(name).orElseThrow()).text();
  }

  @Test
  void countsAreThoseOfTheApplication() throws Exception {
    run("pay", "a", "b", "a", "a");
    run("mail", "x");

    StoreStats stats = center.stats();

    assertThat(stats.total().get(DecisionCounter.REQUESTS)).isEqualTo(5);
    assertThat(stats.total().get(DecisionCounter.DUPLICATES)).isEqualTo(2);
    assertThat(stats.operations())
        .extracting(each -> each.scope().operation().name())
        .containsExactly("mail", "pay");
    assertThat(stats.operations().getLast().requests().values()).containsExactly(4L);
    assertThat(stats.trend()).hasSize(1);
    assertThat(stats.usage().activeKeys()).isEqualTo(3);
    assertThat(stats.store()).contains("sqlite");
    assertThat(center.queues())
        .extracting(OperationRecord::requests, OperationRecord::duplicates)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1L, 0L),
            org.assertj.core.groups.Tuple.tuple(4L, 2L));
  }

  @Test
  void countsAreResetAndThatIsWrittenDown() throws Exception {
    run("pay", "a");
    assertThat(center.resetStatistics()).isEqualTo(1);
    assertThat(store.statistics().read()).isEmpty();
    assertThat(audit()).containsExactly("reset statistics");
  }

  @Test
  void keysAreFoundByPrefixTextAndStateEachOnce() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      ids.add("Order-" + i);
    }
    run("pay", ids.toArray(new String[0]));
    run("mail", "order-1");
    leaveInDoubt("lost");

    Set<Key> seen = new HashSet<>();
    String cursor = "";
    do {
      ControlCenter.KeyPage page = center.keys(KeyFilter.startingWith("default/pay:"), cursor, 10);
      assertThat(page.keys()).hasSizeLessThanOrEqualTo(10);
      page.keys().forEach(each -> assertThat(seen.add(each.key())).isTrue());
      cursor = page.next();
    } while (!cursor.isEmpty());
    assertThat(seen).hasSize(26);

    KeyFilter text = new KeyFilter("", "ORDER-1", Set.of());
    assertThat(center.count(text)).isEqualTo(12); // 1, 10 to 19, and an address
    KeyFilter doubt = new KeyFilter("", "", Set.of(KeyState.IN_DOUBT, KeyState.FAILED));
    assertThat(all(doubt)).extracting(each -> each.key().id()).containsExactly("lost");
    assertThatThrownBy(() -> center.keys(KeyFilter.ALL, "", 1001)).isInstanceOf(InvalidInput.class);
  }

  private List<KeyRecord> all(KeyFilter filter) {
    List<KeyRecord> all = new ArrayList<>();
    String cursor = "";
    do {
      ControlCenter.KeyPage page = center.keys(filter, cursor, 7);
      all.addAll(page.keys());
      cursor = page.next();
    } while (!cursor.isEmpty());
    return all;
  }

  @Test
  void oneKeyIsSeenReleasedAndForgotten() throws Exception {
    Key key = Key.of("pay", "a/b c%ü");
    Key other = Key.of("pay", "nothing");
    run("pay", key.id());

    KeyRecord found = center.inspect(key).orElseThrow();
    assertThat(found.state()).isEqualTo(KeyState.COMPLETED);
    assertThat(found.attempt()).isEqualTo(1);
    assertThat(found.payloadBytes())
        .isEqualTo(("did " + key.id()).getBytes(StandardCharsets.UTF_8).length);
    assertThat(center.payload(key).orElseThrow().bytes())
        .isEqualTo(("did " + key.id()).getBytes(StandardCharsets.UTF_8));
    assertThat(center.release(key, Token.draw())).isEqualTo(StoreAdmin.Release.NOT_HELD);
    assertThat(center.forceRelease(key)).isEqualTo(StoreAdmin.Release.RELEASED);
    assertThat(center.inspect(key).orElseThrow().state()).isEqualTo(KeyState.RELEASED);
    assertThat(center.delete(key)).isTrue();
    assertThat(center.delete(key)).isFalse();
    assertThat(center.inspect(other)).isEmpty();
    assertThat(center.payload(other)).isEmpty();
    assertThat(center.forceRelease(other)).isEqualTo(StoreAdmin.Release.NOT_FOUND);
    assertThat(audit()).containsExactly("force release key", "delete key");
    assertThat(center.about(key, 10)).extracting(EventLine::kind).contains("claimed", "completed");
  }

  @Test
  void manyKeysAreForgottenOnlyByWhoKnowsHowMany() throws Exception {
    run("pay", "a", "b", "c");
    run("mail", "x");
    KeyFilter pay = KeyFilter.startingWith("default/pay:");

    assertThatThrownBy(() -> center.delete(pay, 2))
        .isInstanceOf(EditConflict.class)
        .hasMessageContaining("3");
    assertThat(center.count(KeyFilter.ALL)).isEqualTo(4);
    assertThat(center.delete(pay, center.count(pay))).isEqualTo(3);
    assertThat(center.count(KeyFilter.ALL)).isEqualTo(1);
    assertThat(audit()).containsExactly("delete 3 keys");
  }

  @Test
  void settingsAreChangedAndTakenAway() {
    Operation pay = new Operation("pay");
    StoreAdmin.VersionedSettings first =
        center.change(pay, Map.of(OperationSetting.LEASE, "1m", OperationSetting.MODE, "observe"));
    assertThat(first.version()).isEqualTo(1);
    StoreAdmin.VersionedSettings second = center.change(pay, Map.of(OperationSetting.MODE, ""));
    assertThat(second.settings().values()).containsExactly(Map.entry(OperationSetting.LEASE, "1m"));
    assertThat(center.queues().getFirst().settings()).isEqualTo(second);
    assertThatThrownBy(() -> center.change(pay, Map.of(OperationSetting.LEASE, "soon")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("lease");
    assertThat(audit()).hasSize(2);
  }

  @Test
  void outboxIsSeenRetriedReplayedAndPurged() {
    OutboxOperations operations = center.outbox().orElseThrow();
    OutboxOperations.Status status = operations.status();
    assertThat(List.of(status.pending(), status.dead(), status.kept())).containsExactly(1L, 1L, 1L);
    OutboxOperations.Entry dead =
        operations.list(OutboxOperations.State.DEAD, Filter.ALL, "", 10).entries().getFirst();
    assertThat(dead.id()).isEqualTo("dead");
    assertThat(dead.reason()).contains("no such subject");

    assertThat(operations.retry(Filter.ALL)).isEqualTo(1);
    assertThat(operations.replay(Filter.ALL, false)).isEqualTo(1);
    assertThat(outbox.operations().status().pending()).isEqualTo(3);
    assertThat(operations.purge(OutboxOperations.State.DEAD, Filter.ALL)).isZero();
    assertThat(audit())
        .containsExactly(
            "retry 1 messages of the outbox",
            "replay 1 messages",
            "purge 0 dead messages of the outbox");
  }

  @Test
  void inboxIsSeenRetriedAndForgotten() {
    InboxOperations operations = center.inbox().orElseThrow();
    assertThat(operations.status().consumers())
        .extracting(each -> each.consumer() + " " + each.ids() + " " + each.dead())
        .containsExactly("ledger 1 0", "stock 2 1");
    assertThat(operations.list("stock", InboxOperations.State.DEAD, "", 10).entries())
        .extracting(InboxOperations.Entry::id)
        .containsExactly("first");

    assertThat(operations.retry("stock", "nobody")).isFalse();
    assertThat(operations.retry("stock", "first")).isTrue();
    assertThat(operations.retry("stock")).isZero();
    assertThat(operations.forget("ledger", "new")).isTrue();
    assertThat(operations.forget("ledger", "new")).isFalse();
    assertThat(operations.purge("ledger", Duration.ofDays(1), 10)).isZero();
    assertThat(operations.purgeDead("stock")).isZero();
    assertThat(operations.diagnose()).isEqualTo(inbox.operations().diagnose());
    assertThat(audit())
        .containsExactly(
            "retry message of the inbox",
            "retry 0 messages of the inbox",
            "forget id of the inbox",
            "forget 0 ids of the inbox older than 24h",
            "purge 0 dead messages of the inbox");
  }

  @Test
  void deadLetterOfTheOutboxIsReadEditedAndGoesBack() {
    OutboxAdmin admin = center.outbox().orElseThrow();
    Message kept = admin.read("orders", "dead").orElseThrow();
    assertThat(text(kept)).isEqualTo("{}");
    assertThat(kept.type()).isEqualTo("order-created");
    assertThat(kept.orderingKey()).isEqualTo("ann");
    assertThat(admin.read("orders", "waits")).isEmpty();

    assertThat(admin.retry("orders", "waits", bytes("mended"))).isFalse();
    assertThat(admin.retry("mails", "dead", bytes("mended"))).isFalse();
    assertThat(admin.retry("orders", "dead", bytes("mended ä"))).isTrue();
    assertThat(admin.retry("orders", "dead", bytes("again"))).isFalse();
    assertThat(outbox.operations().status().dead()).isZero();
    List<OutboxEntry> waiting =
        outbox
            .store()
            .read(List.of(new ReadRange(OutboxStore.partition("ann"), 0, Set.of(), Set.of())), 10);
    assertThat(text(waiting.getLast().message())).isEqualTo("mended ä");
    assertThat(waiting.getLast().message().id()).isEqualTo("dead");
    assertThat(audit()).containsExactly("edit and retry message of the outbox");
    assertThat(center.latest("changed", 1).getFirst().toString()).doesNotContain("mended");
  }

  @Test
  void deadLetterOfTheInboxIsReadEditedAndGoesBack() {
    InboxAdmin admin = center.inbox().orElseThrow();
    assertThat(text(admin.find("stock", "first").orElseThrow())).isEqualTo("{}");
    assertThat(admin.find("stock", "nobody")).isEmpty();

    assertThat(admin.retry("stock", "second", bytes("mended"))).as("it waits").isFalse();
    assertThat(admin.retry("stock", "nobody", bytes("mended"))).isFalse();
    assertThat(admin.retry("stock", "first", new byte[0])).as("nothing may be meant").isTrue();
    assertThat(admin.retry("stock", "first", bytes("again"))).isFalse();
    assertThat(admin.find("stock", "first").orElseThrow().payload()).isEmpty();
    assertThat(admin.find("stock", "second").orElseThrow().payload()).isEqualTo(bytes("{}"));
    assertThat(inbox.operations().status().consumers())
        .extracting(each -> each.consumer() + " " + each.pending() + " " + each.dead())
        .containsExactly("ledger 0 0", "stock 2 0");
    assertThat(audit()).containsExactly("edit and retry message of the inbox");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Message message) {
    return new String(message.payload(), StandardCharsets.UTF_8);
  }

  @Test
  void manyMessagesAreTouchedOnlyByWhoKnowsHowMany() {
    OutboxAdmin letters = center.outbox().orElseThrow();
    assertThat(letters.retriable(Filter.ALL)).isEqualTo(1);
    assertThat(letters.count(OutboxOperations.State.PUBLISHED, Filter.ALL)).isEqualTo(1);
    refused(1, () -> letters.retry(Filter.ALL, 2));
    refused(1, () -> letters.replay(Filter.ALL, true, 0));
    refused(1, () -> letters.purge(OutboxOperations.State.DEAD, Filter.ALL, 2));
    assertThat(outbox.operations().status().dead()).isEqualTo(1);
    InboxAdmin stock = center.inbox().orElseThrow();
    assertThat(stock.dead("stock")).isEqualTo(1);
    refused(1, () -> stock.retry("stock", 2));
    refused(1, () -> stock.purgeDead("stock", 0));
    assertThat(stock.dead("stock")).isEqualTo(1);
    assertThat(audit()).isEmpty();

    assertThat(stock.retry("stock", 1)).isEqualTo(1);
    assertThat(letters.replay(Filter.ALL, false, 1)).isEqualTo(1);
    assertThat(letters.purge(OutboxOperations.State.DEAD, Filter.ALL, 1)).isEqualTo(1);
    assertThat(letters.retry(Filter.ALL, 0)).isZero();
    assertThat(audit()).hasSize(4);
  }

  private static void refused(long count, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(EditConflict.class)
        .hasMessageContaining("this would touch " + count);
  }

  @Test
  void oldIdsAreForgottenTheOldestFirstAndNeverMoreThanExpected() {
    try (Shop shop = Shop.before(folder.resolve("shop.db"), Duration.ofDays(9))) {
      shop.handle("ledger", "nine");
    }
    try (Shop shop = Shop.before(folder.resolve("shop.db"), Duration.ofDays(5))) {
      shop.handle("ledger", "five");
    }
    InboxAdmin ledger = center.inbox().orElseThrow();
    Duration days = Duration.ofDays(3);
    assertThat(ledger.old("ledger", days)).isEqualTo(2);
    assertThat(ledger.old("ledger", Duration.ofDays(7))).isEqualTo(1);
    refused(2, () -> ledger.purgeOld("ledger", days, 3));
    assertThat(ledger.purgeOld("ledger", days, 1)).as("one came of age since").isEqualTo(1);
    assertThat(ledger.forget("ledger", "nine")).as("it went first").isFalse();
    assertThat(ledger.purgeOld("ledger", days, 1)).isEqualTo(1);
    assertThat(ledger.forget("ledger", "five")).isFalse();
    assertThat(ledger.forget("ledger", "new")).as("it is young").isTrue();
  }

  @Test
  void recordsThatEndedAreRemovedAndNeverMoreThanExpected() {
    for (String id : List.of("a", "b", "c")) {
      Token unused =
          Records.claimed(
              folder.resolve("shop.db"),
              Key.of("old", id),
              Duration.ofHours(2),
              Duration.ofHours(1));
    }
    assertThat(center.ended()).isEqualTo(3);
    refused(3, () -> center.cleanup(4, so -> {}));
    assertThat(audit()).isEmpty();
    assertThat(center.cleanup(2, so -> {})).as("one ended since").isEqualTo(2);
    assertThat(center.ended()).isEqualTo(1);
    assertThat(center.cleanup(so -> {})).isEqualTo(1);
    assertThat(audit()).containsExactly("clean up 2 records", "clean up 1 records");
  }

  @Test
  void deadLettersOfJobsAreSeenAndGoBack() {
    for (String id : List.of("one", "two", "three")) {
      jobs.enqueue(Job.of(new Key(dev.semel.Tenant.DEFAULT, EXPORTS, id), "12345"));
      jobs.bury(
          jobs.reserve(EXPORTS, 1, Duration.ofMinutes(5)).getFirst(),
          DeadLetterReason.GAVE_UP,
          "boom\n\tat a.B");
    }
    QueueAdmin queues = center.jobs().orElseThrow();
    Key one = Key.of("exports", "one");

    assertThat(queues.dead(Optional.of(EXPORTS))).isEqualTo(3);
    assertThat(queues.list(Optional.empty(), QueueAdmin.DEAD, "", 10).entries())
        .hasSize(3)
        .allMatch(each -> each.error().equals("boom\n\tat a.B"));
    assertThat(queues.find(one).orElseThrow().state()).isEqualTo(JobState.FAILED);
    assertThat(queues.retry(Key.of("exports", "nobody"))).isFalse();
    assertThat(queues.retry(one)).isTrue();
    assertThat(queues.find(one).orElseThrow().state()).isEqualTo(JobState.PENDING);
    assertThat(queues.retryAll(Optional.of(EXPORTS), so -> {})).isEqualTo(2);
    assertThat(queues.dead(Optional.empty())).isZero();
    assertThat(audit()).containsExactly("retry job", "retry job", "retry job");
  }

  @Test
  void queuesOfTheDatabaseAreSeenBesideThoseOfTheStore() {
    Operation mails = new Operation("mails");
    Job here = Job.of(new Key(Tenant.DEFAULT, EXPORTS, "here"), "1");
    Job there = Job.of(new Key(Tenant.DEFAULT, EXPORTS, "there"), "2");
    Job mail = Job.of(new Key(Tenant.DEFAULT, mails, "mail"), "3");
    jobs.enqueue(here);
    beside.enqueue(List.of(there, mail));
    for (Operation queue : List.of(EXPORTS, mails)) {
      beside.bury(
          beside.reserve(queue, 1, Duration.ofMinutes(5)).getFirst(),
          DeadLetterReason.GAVE_UP,
          "boom");
    }
    QueueAdmin queues = center.jobs().orElseThrow();

    assertThat(queues.counts().keySet()).containsExactly(EXPORTS, mails);
    JobOperations.Counts exports = Objects.requireNonNull(queues.counts().get(EXPORTS));
    assertThat(exports.pending()).isEqualTo(1);
    assertThat(exports.dead()).isEqualTo(1);
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JobOperations.Page page = queues.list(Optional.empty(), Set.of(), cursor, 1);
      page.entries().forEach(each -> seen.add(each.key().id()));
      cursor = page.cursor();
    } while (!cursor.isEmpty());
    assertThat(seen).containsExactlyInAnyOrder("here", "there", "mail");
    assertThat(queues.list(Optional.of(mails), Set.of(), "", 10).entries())
        .extracting(each -> each.key().id())
        .containsExactly("mail");
    assertThat(queues.dead(Optional.empty())).isEqualTo(2);
    assertThat(queues.retry(there.key())).isTrue();
    assertThat(queues.find(there.key()).orElseThrow().state()).isEqualTo(JobState.PENDING);
    assertThat(queues.retryAll(Optional.empty(), so -> {})).isEqualTo(1);
    assertThat(beside.operations().counts().values())
        .extracting(JobOperations.Counts::pending)
        .containsExactly(1L, 1L);
  }

  @Test
  void deadLetterOfAJobIsEditedAndGoesBack() {
    for (DeadLetterReason why : List.of(DeadLetterReason.GAVE_UP, DeadLetterReason.IN_DOUBT)) {
      jobs.enqueue(
          Job.of(Key.of("exports", why.name()), "broken")
              .withHeader("trace", "t-1")
              .withRetention(Duration.ofHours(3)));
      jobs.bury(jobs.reserve(EXPORTS, 1, Duration.ofMinutes(5)).getFirst(), why, "boom");
    }
    QueueAdmin queues = center.jobs().orElseThrow();
    Key gaveUp = Key.of("exports", "GAVE_UP");
    Job kept = queues.read(gaveUp).orElseThrow();
    assertThat(kept.text()).isEqualTo("broken");
    assertThat(kept.headers()).containsEntry("trace", "t-1");
    assertThat(kept.retention()).isEqualTo(Duration.ofHours(3));
    assertThat(queues.read(Key.of("exports", "nobody"))).isEmpty();

    byte[] mended = bytes("mended");
    assertThat(queues.retry(Key.of("exports", "nobody"), mended)).isFalse();
    assertThat(queues.retry(gaveUp, mended)).isTrue();
    assertThat(queues.retry(gaveUp, mended)).isFalse();
    Job again = jobs.reserve(EXPORTS, 1, Duration.ofMinutes(5)).getFirst().job();
    assertThat(again.key()).isEqualTo(gaveUp);
    assertThat(again.text()).isEqualTo("mended");
    assertThat(again.headers()).containsEntry("trace", "t-1");

    Key inDoubt = Key.of("exports", "IN_DOUBT");
    assertThatThrownBy(() -> queues.retry(inDoubt, mended)).isInstanceOf(EditConflict.class);
    assertThat(queues.read(inDoubt).orElseThrow().text()).isEqualTo("broken");
    assertThat(audit()).containsExactly("edit and retry job");
  }

  @Test
  void eventsAreReadEachOnceAndTheLogVerifies() throws Exception {
    run("pay", "a", "b");
    String end = center.end();
    run("pay", "c");

    List<EventLine> all = new ArrayList<>();
    String cursor = "";
    EventStore.Page page;
    do {
      page = center.events(cursor, 2);
      all.addAll(page.lines());
      cursor = page.next();
    } while (!page.lines().isEmpty());
    assertThat(all)
        .extracting(EventLine::hash)
        .isEqualTo(store.events().latest(100).stream().map(EventLine::hash).toList());
    assertThat(center.events(end, 10).lines())
        .hasSize(2)
        .allMatch(line -> line.isAbout(Key.of("pay", "c")));
    assertThat(center.verify(so -> {}).report().intact()).isTrue();
    assertThat(center.verify(so -> {}).chains()).hasSize(2);
    assertThat(center.erase(Key.of("pay", "a"))).isEqualTo(2);
    assertThat(center.about(Key.of("pay", "a"), 10)).isEmpty();
    assertThat(center.latest("claimed", 10).getFirst().personal().erased()).isTrue();
    assertThat(audit()).containsExactly("erase 2 lines");
  }

  @Test
  void targetsIsWellAndIsCleanedUp() {
    HealthReport health = center.health();
    assertThat(health.level()).isNotEqualTo(HealthReport.Level.AWAY);
    assertThat(health.parts())
        .extracting(HealthReport.Part::name)
        .containsExactly("store", "jobs", "jobs", "outbox", "inbox");
    assertThat(center.cleanup(so -> {})).isZero();
    assertThat(audit()).containsExactly("clean up 0 records");
  }

  @Test
  void whatIsBeyondItsLimitIsAnAlert() {
    List<Alert> alerts = center.alerts();
    assertThat(alerts)
        .filteredOn(alert -> alert.rule() == AlertRule.DEAD_LETTERS)
        .isNotEmpty()
        .allMatch(alert -> alert.state() == Alert.State.FIRING);
    assertThat(alerts).allMatch(alert -> !alert.text().isEmpty());
  }

  @Test
  void lifeLineBeginsWithTheClaimAndEndsWithTheExpiry() throws Exception {
    run("pay", "a", "a");
    KeyTimeline line = center.lifeLine(Key.of("pay", "a"));
    assertThat(line.key()).isEqualTo(Key.of("pay", "a"));
    assertThat(line.moments().getFirst().kind()).isEqualTo("claimed");
    assertThat(line.moments().getLast().kind()).isEqualTo("expires");
    assertThat(line.moments())
        .extracting(TimelineEntry::kind)
        .contains("completed", "replayed", "stands");
    assertThat(line.moments())
        .filteredOn(moment -> moment.kind().equals("stands"))
        .extracting(TimelineEntry::facts)
        .allSatisfy(facts -> assertThat(facts).containsEntry("state", "completed"));
    assertThat(center.lifeLine(Key.of("pay", "nobody")).isEmpty()).isTrue();
  }

  @Test
  void adviceIsReadAndAppliedAsItWasRead() {
    Operation pay = new Operation("pay");
    // All duplicates came within a minute.
    store
        .statistics()
        .add(
            Map.of(
                new StatisticsStore.Scope(Tenant.DEFAULT, pay),
                new DecisionCounts(
                    Map.of(DecisionCounter.REQUESTS, 40_000L, DecisionCounter.DUPLICATES, 20_000L),
                    Map.of(DuplicateAge.MINUTE, 20_000L))));
    Recommendations counsel = center.advice(AdviceCriteria.usual());
    Advice advice = counsel.advice().stream().filter(Advice::applicable).findFirst().orElseThrow();
    assertThat(advice.operation()).contains(pay);
    assertThat(advice.change()).containsKey(OperationSetting.RETENTION);
    assertThat(advice.why()).isNotEmpty();

    assertThat(center.apply(advice).settings().values()).containsAllEntriesOf(advice.change());

    assertThat(center.queues().getFirst().settings().settings().values())
        .containsAllEntriesOf(advice.change());
    assertThat(audit()).hasSize(2).last().asString().startsWith("apply advice");
  }
}
