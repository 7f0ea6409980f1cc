package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators set per operation, and how far it reaches. */
class SettingsTest {
  private static final Key KEY = Key.of("payment", "order-123");
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final FaultyStore store = new FaultyStore(memory);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final AtomicInteger charged = new AtomicInteger();

  @AfterEach
  void close() {
    idempotency.close();
  }

  /** Known to this process at once, not only with its next look. */
  private void set(OperationSetting setting, String value) {
    write(setting, value);
    idempotency.settings().refresh();
  }

  private void write(OperationSetting setting, String value) {
    SettingsStore.Stored stored =
        memory
            .settings()
            .readAll()
            .getOrDefault(KEY.operation(), new SettingsStore.Stored(0, "{}"));
    OperationSettings next =
        OperationSettings.parse(stored.text()).with(Map.of(setting, value), NOW);
    assertThat(memory.settings().write(KEY.operation(), stored.version(), next.text())).isTrue();
  }

  private Outcome<String> charge() {
    return idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8()),
        execution -> "receipt " + charged.incrementAndGet());
  }

  private DecisionCounts counts() {
    idempotency.close();
    return memory
        .statistics()
        .read()
        .getOrDefault(
            new StatisticsStore.Scope(KEY.tenant(), KEY.operation()), DecisionCounts.ZERO);
  }

  @Test
  void reservationsAndStepsHaveTheLeaseThatWasSetToo() {
    set(OperationSetting.LEASE, "7m");
    idempotency.reservations().reserve(KEY);
    assertThat(memory.find(KEY).orElseThrow().leaseLeft()).isGreaterThan(Duration.ofMinutes(6));

    Key step = Key.of("payment", "step-1");
    idempotency
        .sequence()
        .execute(
            "user-1",
            ExecutionRequest.of(step, Codec.utf8()),
            e -> {
              assertThat(memory.list("", "", 10).entries())
                  .allMatch(entry -> entry.existing().leaseLeft().toMinutes() >= 6);
              return "done";
            });
  }

  @Test
  void observedDuplicatesAreCountedAndRun() {
    set(OperationSetting.MODE, "observe");
    assertThat(charge()).isEqualTo(new Outcome.Executed<>("receipt 1", 1, true));
    assertThat(charge()).isEqualTo(new Outcome.Executed<>("receipt 2", 0, false));
    assertThat(events).anyMatch(Event.Replayed.class::isInstance);
    DecisionCounts counts = counts();
    assertThat(counts.get(DecisionCounter.REQUESTS)).isEqualTo(2);
    assertThat(counts.get(DecisionCounter.DUPLICATES)).isEqualTo(1);
    assertThat(counts.get(DecisionCounter.UNGUARDED)).isEqualTo(1);
    assertThat(counts.get(DecisionCounter.EXECUTED)).isEqualTo(2);
  }

  @Test
  void observingNeverStopsWorkEvenWhenTheStoreIsAway() {
    set(OperationSetting.MODE, "observe");
    store.away = true;
    assertThat(charge()).isEqualTo(new Outcome.Executed<>("receipt 1", 0, false));
    assertThat(events).contains(new Event.Unguarded(KEY, "", Event.Unguarded.Reason.STORE_AWAY));
  }

  @Test
  void switchedOffNothingIsAskedOrRecorded() {
    set(OperationSetting.MODE, "off");
    charge();
    charge();
    assertThat(charged).hasValue(2);
    assertThat(store.claims).hasValue(0);
    assertThat(memory.find(KEY)).isEmpty();
    assertThat(counts().get(DecisionCounter.UNGUARDED)).isEqualTo(2);
  }

  @Test
  void settingsGoBeforeTheCode() {
    set(OperationSetting.RETENTION, "2h");
    set(OperationSetting.LEASE, "45m");
    idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8()),
        execution -> {
          assertThat(memory.find(KEY).orElseThrow().leaseLeft())
              .isBetween(Duration.ofMinutes(40), Duration.ofMinutes(45));
          return "receipt";
        });
    assertThat(memory.find(KEY).orElseThrow().original().retentionLeft())
        .isBetween(Duration.ofMinutes(115), Duration.ofHours(2));
  }

  @Test
  void aChangeReachesARunningProcess() {
    charge();
    assertThat(charge()).isInstanceOf(Outcome.Replayed.class);
    write(OperationSetting.MODE, "off");
    await().until(() -> charge() instanceof Outcome.Executed<String>);
  }

  @Test
  void settingsThatCannotBeReadLeaveTheOperationProtected() {
    memory.settings().write(KEY.operation(), 0, "{\"mode\":\"sideways\"}");
    idempotency.settings().refresh();
    charge();
    assertThat(charge()).isInstanceOf(Outcome.Replayed.class);
  }

  @Test
  void aStoreThatIsAwayAtTheStartIsReportedByTheClaim() {
    store.away = true;
    assertThatThrownBy(this::charge).isInstanceOf(StoreException.class);
    assertThat(charged).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({
    "mode,sideways",
    "lease,soon",
    "lease,25h",
    "retention,-1s",
    "takeover,maybe",
    "on-failure,ignore",
    "on-outage,panic",
    "max-response,-1",
    "max-response,big",
    "strategy,uuid",
    "strategy,hybrid()",
    "mask-ids,perhaps",
    "old-strategy-until,tomorrow"
  })
  void whatMakesNoSenseIsRefused(String setting, String value) {
    assertThatThrownBy(
            () -> OperationSettings.NONE.with(Map.of(OperationSetting.parse(setting), value), NOW))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void anUnknownSettingIsNamedWithThoseThatAreKnown() {
    assertThatThrownBy(() -> OperationSetting.parse("colour"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("colour")
        .hasMessageContaining("max-hold");
  }

  @Test
  void everySettingSurvivesItsText() {
    Map<OperationSetting, String> all =
        Map.ofEntries(
            Map.entry(OperationSetting.MODE, "observe"),
            Map.entry(OperationSetting.LEASE, "10s"),
            Map.entry(OperationSetting.MAX_HOLD, "1h"),
            Map.entry(OperationSetting.RETENTION, "24h"),
            Map.entry(OperationSetting.WAIT, "5s"),
            Map.entry(OperationSetting.TAKEOVER, "run-again"),
            Map.entry(OperationSetting.ON_FAILURE, "store"),
            Map.entry(OperationSetting.ON_OUTAGE, "warn-and-continue"),
            Map.entry(OperationSetting.MAX_RESPONSE, "100"),
            Map.entry(OperationSetting.STRATEGY, "hybrid(a,b.c)"),
            Map.entry(OperationSetting.OLD_STRATEGY, "content-hash(a)"),
            Map.entry(OperationSetting.OLD_STRATEGY_UNTIL, "2026-11-17T12:00:00Z"),
            Map.entry(OperationSetting.SHADOW, "hybrid(a)"),
            Map.entry(OperationSetting.WORKERS, "0"),
            Map.entry(OperationSetting.MAX_ATTEMPTS, "3"),
            Map.entry(OperationSetting.MASK_IDS, "true"));
    OperationSettings settings = new OperationSettings(all);
    assertThat(OperationSettings.parse(settings.text())).isEqualTo(settings);
    assertThat(settings.over(ExecutionPolicy.defaults()))
        .isEqualTo(
            new ExecutionPolicy(
                Duration.ofSeconds(10),
                Duration.ofHours(1),
                Duration.ofHours(24),
                TakeoverPolicy.RUN_AGAIN,
                Duration.ofSeconds(5),
                FailurePolicy.STORE,
                OnOutage.WARN_AND_CONTINUE,
                100));
    assertThat(all).hasSize(OperationSetting.values().length);
  }

  @Test
  void settingsAndCodeThatContradictEachOtherStillMakeAPolicy() {
    ExecutionPolicy code = ExecutionPolicy.defaults().withRetention(Duration.ofMinutes(1));
    assertThat(new OperationSettings(Map.of(OperationSetting.LEASE, "10m")).over(code).retention())
        .isEqualTo(Duration.ofMinutes(10));
    assertThat(new OperationSettings(Map.of(OperationSetting.RETENTION, "5s")).over(code).lease())
        .isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aWaitCanBeSwitchedOff() {
    ExecutionPolicy code = ExecutionPolicy.defaults().withWaitUpTo(Duration.ofSeconds(5));
    assertThat(new OperationSettings(Map.of(OperationSetting.WAIT, "0s")).over(code).waitUpTo())
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void aPolicyCannotHoldOrWaitForLongerThanAClockCanCount() {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    assertThatThrownBy(() -> ExecutionPolicy.defaults().withMaxHold(forever))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> ExecutionPolicy.defaults().withWaitUpTo(forever))
        .isInstanceOf(InvalidInput.class);
  }
}
