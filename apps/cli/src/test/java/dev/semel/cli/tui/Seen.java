package dev.semel.cli.tui;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.HealthReport;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.OperationRecord;
import dev.semel.admin.StoreAdmin;
import dev.semel.admin.StoreStats;
import dev.semel.admin.TimelineEntry;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.cli.tui.view.Palette;
import dev.semel.event.EventLine;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/** Targets as a screen may find them; always the same ones. */
public final class Seen {
  static final Instant NOW = Instant.parse("2026-11-17T10:30:15Z");
  static final int KEYS = 40;

  static final KeyPages.Ask BEGINNING = new KeyPages.Ask("", KeyWindow.PAGE_ROWS);

  private static final List<String> OPERATIONS =
      List.of("payments", "webhooks", "users", "emails", "exports");

  /** The retentions in their settings. */
  private static final List<Duration> RETENTIONS =
      List.of(
          Duration.ofHours(24),
          Duration.ofHours(72),
          Duration.ofHours(12),
          Duration.ofHours(6),
          Duration.ofHours(24));

  private Seen() {}

  static OverviewData overview() {
    return new OverviewData(
        stats(),
        queues(),
        health(),
        alerts(),
        counsel(),
        Optional.of(outbox()),
        Duration.ofMillis(3),
        Duration.ofMillis(12));
  }

  static StoreStats stats() {
    List<StoreStats.Operation> operations = new ArrayList<>();
    for (int i = 0; i < OPERATIONS.size(); i++) {
      DecisionCounts counts =
          new DecisionCounts(
              Map.of(
                  DecisionCounter.REQUESTS, 4000L - i * 500L,
                  DecisionCounter.EXECUTED, 3500L - i * 450L,
                  DecisionCounter.DUPLICATES, 500L - i * 50L));
      StatisticsStore.Scope scope =
          new StatisticsStore.Scope(Tenant.DEFAULT, new Operation(OPERATIONS.get(i)));
      operations.add(new StoreStats.Operation(scope, counts, new TreeMap<>()));
    }
    List<StoreStats.Point> trend = new ArrayList<>();
    for (int hour = 23; hour >= 0; hour--) {
      long duplicates = hour >= 8 && hour <= 10 ? 280 : 40 + hour * 3L;
      trend.add(
          new StoreStats.Point(
              NOW.minus(Duration.ofHours(hour)),
              new DecisionCounts(
                  Map.of(
                      DecisionCounter.REQUESTS,
                      660L,
                      DecisionCounter.EXECUTED,
                      660 - duplicates,
                      DecisionCounter.DUPLICATES,
                      duplicates))));
    }
    return new StoreStats(
        "redis-cluster at three nodes",
        NOW,
        operations,
        trend,
        new KeyCatalog.Usage(KEYS, 2_516_582, true));
  }

  static List<OperationRecord> queues() {
    List<Map<OperationSetting, String>> settings =
        List.of(
            Map.of(
                OperationSetting.RETENTION, "24h", OperationSetting.STRATEGY, "content-hash(id)"),
            Map.of(OperationSetting.RETENTION, "72h"),
            Map.of(OperationSetting.RETENTION, "12h"),
            Map.of(OperationSetting.MODE, "observe", OperationSetting.RETENTION, "6h"),
            Map.of(OperationSetting.MODE, "off"));
    List<OperationRecord> queues = new ArrayList<>();
    for (int i = 0; i < OPERATIONS.size(); i++) {
      queues.add(
          new OperationRecord(
              new Operation(OPERATIONS.get(i)),
              1000,
              i == 1 ? 452 : 132 - i * 30L,
              new StoreAdmin.VersionedSettings(3, new OperationSettings(settings.get(i)))));
    }
    return queues;
  }

  private static HealthReport health() {
    return new HealthReport(
        List.of(
            new HealthReport.Part("store", "redis", HealthReport.Level.OK, List.of()),
            new HealthReport.Part(
                "outbox", "", HealthReport.Level.WARNING, List.of("it is slow"))));
  }

  private static List<Alert> alerts() {
    return List.of(
        new Alert(
            AlertRule.HIT_RATE,
            "webhooks",
            Alert.State.FIRING,
            NOW.minusSeconds(90),
            NOW.minusSeconds(60),
            45.2,
            20,
            "45.2 % of the requests are duplicates, limit 20 %"));
  }

  private static Recommendations counsel() {
    return new Recommendations(
        List.of(
            new Advice(
                Optional.of(new Operation("payments")),
                AdviceTopic.RETENTION_TOO_LONG,
                "keep records for 2h",
                "the latest duplicate came 41m after the first",
                Map.of(OperationSetting.RETENTION, "2h"),
                "A duplicate later than that would run again.",
                1_500_000)),
        List.of());
  }

  static OutboxOperations.Status outbox() {
    return new OutboxOperations.Status(
        12,
        3,
        0,
        6847,
        Optional.of(Duration.ofMillis(4200)),
        List.of(),
        List.of(
            new OutboxOperations.RelayStatus(
                "relay-1", 16, new RelayCounts(6845, 0, 2, 0, 3), 14.1, Duration.ofSeconds(1))));
  }

  public static KeyRecord key(String id, int index) {
    KeyState[] states = {
      KeyState.COMPLETED,
      KeyState.FAILED,
      KeyState.IN_FLIGHT,
      KeyState.COMPLETED,
      KeyState.IN_DOUBT,
      KeyState.COMPLETED,
      KeyState.RELEASED
    };
    KeyState state = states[index % states.length];
    Duration retention = RETENTIONS.get(index % RETENTIONS.size());
    Duration age = Duration.ofMinutes((28 + index * 97L) % retention.toMinutes());
    return new KeyRecord(
        Key.of(OPERATIONS.get(index % OPERATIONS.size()), id),
        state,
        1,
        "req-" + index,
        age,
        state == KeyState.IN_FLIGHT ? Optional.of(Duration.ofSeconds(20)) : Optional.empty(),
        retention.minus(age),
        "sha256:v1:" + "ab".repeat(32),
        "application/json",
        312,
        OptionalInt.empty());
  }

  /** Ids of no shape in particular. */
  static List<KeyRecord> keys() {
    Random random = new Random(7);
    List<KeyRecord> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(key("evt_%08x%08x".formatted(random.nextInt(), random.nextInt()), i));
    }
    return keys;
  }

  static List<EventLine> events(List<KeyRecord> keys) {
    List<EventLine> lines = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      KeyRecord record = keys.get(i * 3 % Math.max(1, keys.size() - 1));
      lines.add(
          new EventLine(
              "writer",
              i + 1,
              NOW.minusSeconds(150 - i * 10L).toEpochMilli(),
              "replayed",
              "default",
              record.key().operation().name(),
              "{}",
              new EventLine.Personal(record.key().id(), "{}", "salt"),
              "",
              "",
              ""));
    }
    return lines;
  }

  /** The counts are there, the keys are not yet. */
  static TuiModel begun(int width, int height) {
    return after(TuiModel.begin(width, height, NOW), new TuiMessage.Surveyed(overview()));
  }

  static TuiModel model(int width, int height) {
    return model(width, height, keys());
  }

  public static TuiModel model(int width, int height, List<KeyRecord> keys) {
    TuiModel model = after(begun(width, height), new TuiMessage.Heard(events(keys), "15"));
    return after(model, new TuiMessage.Paged(KeyFilter.ALL, BEGINNING, new KeyPage(keys, "")));
  }

  static TuiModel after(TuiModel model, TuiMessage message) {
    return Reducer.next(model, message).model();
  }

  static TuiModel pressed(TuiModel model, Object... presses) {
    TuiModel next = model;
    for (Object press : presses) {
      next = after(next, new TuiMessage.Pressed(press(press)));
    }
    return next;
  }

  /** A character, or a kind of key. */
  static KeyPress press(Object press) {
    return press instanceof KeyPress.Kind kind ? KeyPress.of(kind) : KeyPress.of((Character) press);
  }

  public static TuiModel details(TuiModel model) {
    TuiModel open = pressed(model, 'k', KeyPress.Kind.ENTER);
    KeyRecord record = open.keys().chosen().orElseThrow();
    return after(open, new TuiMessage.Opened(record.key(), Optional.of(record), lifeLine(record)));
  }

  static KeyTimeline lifeLine(KeyRecord record) {
    List<TimelineEntry> moments = new ArrayList<>();
    moments.add(
        moment(
            -1680, "claimed", TimelineEntry.Source.RECORD, Map.of("request", record.requestId())));
    moments.add(moment(-1679, "in-flight", TimelineEntry.Source.EVENTS, Map.of("age_ms", "228")));
    moments.add(moment(-1678, "completed", TimelineEntry.Source.EVENTS, Map.of("took_ms", "1870")));
    moments.add(
        moment(-1677, "published", TimelineEntry.Source.OUTBOX, Map.of("destination", "paid")));
    moments.add(
        moment(-932, "replayed", TimelineEntry.Source.EVENTS, Map.of("request", "req-190")));
    moments.add(moment(0, "stands", TimelineEntry.Source.RECORD, Map.of("state", "completed")));
    moments.add(
        moment(
            record.retentionLeft().toSeconds(), "expires", TimelineEntry.Source.RECORD, Map.of()));
    return new KeyTimeline(record.key(), moments, false, false);
  }

  private static TimelineEntry moment(
      long seconds, String kind, TimelineEntry.Source source, Map<String, String> facts) {
    return new TimelineEntry(NOW.plusSeconds(seconds), kind, source, "", facts);
  }

  public static Palette dark() {
    return Palette.of(Palette.Depth.FULL, false);
  }

  static List<String> lines(TuiModel model) {
    return ScreenSnapshot.lines(ScreenSnapshot.frame(model, dark()));
  }

  static String text(TuiModel model) {
    return String.join("\n", lines(model)) + "\n";
  }
}
