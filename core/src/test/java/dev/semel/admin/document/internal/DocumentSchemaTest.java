package dev.semel.admin.document.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.admin.Backup;
import dev.semel.admin.ControlCenter.KeyPage;
import dev.semel.admin.ControlCenter.Verified;
import dev.semel.admin.HealthReport;
import dev.semel.admin.KeyRecord;
import dev.semel.admin.KeyState;
import dev.semel.admin.KeyTimeline;
import dev.semel.admin.OperationRecord;
import dev.semel.admin.StoreAdmin.VersionedSettings;
import dev.semel.admin.StoreStats;
import dev.semel.admin.TimelineEntry;
import dev.semel.admin.document.internal.DocumentSchema.Member;
import dev.semel.admin.document.internal.DocumentSchema.Presence;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceTopic;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertRule;
import dev.semel.event.EventAudit;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobState;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What documents hold is what is described of them, and what is read of them again. */
class DocumentSchemaTest {
  private static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");
  private static final Key KEY = Key.of("payments", "order-1");
  private static final Operation PAYMENTS = KEY.operation();
  private static final Optional<Duration> SOON = Optional.of(Duration.ofSeconds(2));

  /**
   * A kind of document.
   *
   * @param whole with every member that there may be
   * @param least without those that may be missing
   * @param again what is written of it once it was read
   */
  record Sample(
      DocumentSchema schema,
      JsonObject whole,
      JsonObject least,
      Function<JsonValue, JsonObjectBuilder> again) {
    @Override
    public String toString() {
      return schema.name();
    }
  }

  private static Sample of(
      DocumentSchema schema,
      JsonObjectBuilder whole,
      JsonObjectBuilder least,
      Function<JsonValue, JsonObjectBuilder> again) {
    return new Sample(schema, whole.build(), least.build(), again);
  }

  private static Sample of(
      DocumentSchema schema,
      JsonObjectBuilder whole,
      Function<JsonValue, JsonObjectBuilder> again) {
    return of(schema, whole, whole, again);
  }

  static Stream<Sample> samples() {
    return Stream.of(
        of(
            KeyDocument.WHOLE,
            KeyDocument.whole(key("r-1 host-7/4711@5", true)),
            KeyDocument.whole(key("r-1", false)),
            read -> KeyDocument.whole(KeyDocument.read(read))),
        of(
            KeyDocument.PAGE,
            KeyDocument.json(new KeyPage(List.of(key("r-1 host-7/4711@5", true)), "on")),
            KeyDocument.json(new KeyPage(List.of(key("", false)), "")),
            read -> KeyDocument.json(KeyDocument.readPage(read))),
        of(
            EventDocument.PAGE,
            EventDocument.json(new EventStore.Page(List.of(event()), "on")),
            EventDocument.json(List.of(event().erased())),
            read ->
                MemberReader.of(read).find("next").isPresent()
                    ? EventDocument.json(EventDocument.readPage(read))
                    : EventDocument.json(EventDocument.readAll(read))),
        of(EventDocument.ROW, EventDocument.row(event()), DocumentSchemaTest::asItIs),
        of(
            StatsDocument.SCHEMA,
            StatsDocument.json(stats()),
            read -> StatsDocument.json(StatsDocument.read(read))),
        of(
            StatsDocument.OPERATION,
            StatsDocument.json(stats().operations().getFirst()),
            DocumentSchemaTest::asItIs),
        of(
            StatsDocument.ROW,
            StatsDocument.row(stats().operations().getFirst()),
            DocumentSchemaTest::asItIs),
        of(
            OperationDocument.SCHEMA,
            OperationDocument.json(List.of(new OperationRecord(PAYMENTS, 3, 1, settings()))),
            read -> OperationDocument.json(OperationDocument.readAll(read))),
        of(
            OperationDocument.CHANGED,
            OperationDocument.json(PAYMENTS, settings()),
            read -> OperationDocument.json(PAYMENTS, OperationDocument.readSettings(read))),
        of(
            KeyTimelineDocument.SCHEMA,
            KeyTimelineDocument.json(timeline()),
            read -> KeyTimelineDocument.json(KeyTimelineDocument.read(read))),
        of(
            AuditDocument.SCHEMA,
            AuditDocument.json(verified()),
            read -> AuditDocument.json(AuditDocument.read(read))),
        of(
            AdviceDocument.SCHEMA,
            AdviceDocument.json(advice(Optional.of(PAYMENTS))),
            AdviceDocument.json(advice(Optional.empty())),
            read -> AdviceDocument.json(AdviceDocument.read(read))),
        of(
            AlertDocument.SCHEMA,
            AlertDocument.json(List.of(alert())),
            read -> AlertDocument.json(AlertDocument.read(read))),
        of(
            HealthDocument.SCHEMA,
            HealthDocument.json(health()),
            read -> HealthDocument.json(HealthDocument.read(read))),
        of(
            BackupDocument.SCHEMA,
            BackupDocument.json(new Backup("/backups/monday", 1, 2, 3)),
            read -> BackupDocument.json(BackupDocument.read(read))),
        of(
            OutboxDocument.SCHEMA,
            OutboxDocument.json(outbox(SOON)),
            OutboxDocument.json(outbox(Optional.empty())),
            read -> OutboxDocument.json(OutboxDocument.readStatus(read))),
        of(
            MessageDocument.PAGE,
            OutboxDocument.json(new OutboxOperations.Page(List.of(sent()), "on")),
            OutboxDocument.json(new OutboxOperations.Page(List.of(sent()), "")),
            read -> OutboxDocument.json(OutboxDocument.readPage(read))),
        of(
            InboxDocument.SCHEMA,
            InboxDocument.json(inbox(true), List.of("an index is missing")),
            InboxDocument.json(inbox(false), List.of()),
            read ->
                InboxDocument.json(
                    InboxDocument.readStatus(read), MemberReader.of(read).texts("says"))),
        of(
            MessageDocument.PAGE,
            InboxDocument.json(new InboxOperations.Page(List.of(stored()), "on")),
            InboxDocument.json(new InboxOperations.Page(List.of(stored()), "")),
            read -> InboxDocument.json(InboxDocument.readPage(read))),
        of(
            MessageDocument.SCHEMA,
            MessageDocument.json(message()),
            read -> MessageDocument.json(MessageDocument.read(read))),
        of(
            JobDocument.PAGE,
            JobDocument.json(new JobOperations.Page(List.of(job(true)), "on"), true),
            JobDocument.json(new JobOperations.Page(List.of(job(false)), ""), false),
            read -> JobDocument.json(JobDocument.readPage(read), true)),
        of(
            JobDocument.WHOLE,
            JobDocument.whole(payload()),
            read -> JobDocument.whole(JobDocument.readWhole(read))),
        of(
            JobDocument.QUEUES,
            JobDocument.json(Map.of(PAYMENTS, counts(SOON)), AT),
            JobDocument.json(Map.of(PAYMENTS, counts(Optional.empty())), AT),
            read -> JobDocument.json(JobDocument.readCounts(read), AT)));
  }

  /** Nobody of ours reads it again. */
  private static JsonObjectBuilder asItIs(JsonValue value) {
    JsonObjectBuilder members = Json.object();
    ((JsonObject) value).members().forEach(members::with);
    return members;
  }

  private static KeyRecord key(String requestId, boolean whole) {
    return new KeyRecord(
        KEY,
        whole ? KeyState.IN_FLIGHT : KeyState.COMPLETED,
        1,
        requestId,
        Duration.ofSeconds(1),
        whole ? SOON : Optional.empty(),
        Duration.ofHours(1),
        "f",
        "text/plain",
        4,
        whole ? OptionalInt.of(0) : OptionalInt.empty());
  }

  private static EventLine event() {
    return new EventLine(
        "w",
        1,
        AT.toEpochMilli(),
        "released",
        "default",
        "payments",
        "{\"attempt\":1}",
        new EventLine.Personal("order-1", "{\"error\":\"no\"}", "-"),
        "",
        "",
        "h");
  }

  private static StoreStats stats() {
    DecisionCounts counts =
        new DecisionCounts(
            Arrays.stream(DecisionCounter.values()).collect(Collectors.toMap(c -> c, c -> 2L)),
            Map.of(DuplicateAge.OLDER, 1L));
    return new StoreStats(
        "memory",
        AT,
        List.of(
            new StoreStats.Operation(
                new Scope(new Tenant("default"), PAYMENTS), counts, new TreeMap<>(Map.of(AT, 2L)))),
        List.of(new StoreStats.Point(AT, counts)),
        new KeyCatalog.Usage(1, 2, true));
  }

  private static VersionedSettings settings() {
    return new VersionedSettings(2, OperationSettings.parse("{\"retention\":\"7d\"}"));
  }

  private static KeyTimeline timeline() {
    return new KeyTimeline(
        KEY,
        List.of(
            new TimelineEntry(
                AT, "replayed", TimelineEntry.Source.EVENTS, "host-7", Map.of("attempt", "1"))),
        true,
        false);
  }

  private static Verified verified() {
    return new Verified(
        new EventAudit.Report(
            3, 1, 1, List.of(new EventAudit.Finding(EventAudit.Problem.CHANGED, "w", 2))),
        Map.of("w", new EventStore.Chain(1, "", 3, "h")));
  }

  private static Recommendations advice(Optional<Operation> operation) {
    return new Recommendations(
        List.of(
            new Advice(
                operation,
                AdviceTopic.RETENTION_TOO_LONG,
                "title",
                "why",
                operation.isPresent() ? Map.of(OperationSetting.RETENTION, "7d") : Map.of(),
                "todo",
                5)),
        List.of(new Recommendations.Withheld(PAYMENTS, "too few")));
  }

  private static Alert alert() {
    return new Alert(AlertRule.MEMORY, "store", Alert.State.FIRING, AT, AT, 90, 80, "90 of 80");
  }

  private static HealthReport health() {
    return new HealthReport(
        List.of(
            new HealthReport.Part(
                "store", "memory", HealthReport.Level.WARNING, List.of("it may evict"))));
  }

  private static OutboxOperations.Status outbox(Optional<Duration> oldest) {
    return new OutboxOperations.Status(
        5,
        1,
        2,
        3,
        oldest,
        List.of(new OutboxOperations.DestinationStatus("orders", 5, 2, oldest)),
        List.of(
            new OutboxOperations.RelayStatus(
                "relay-1", 4, new RelayCounts(9, 1, 2, 3, 4), 1.5, Duration.ofSeconds(1))));
  }

  private static OutboxOperations.Entry sent() {
    return new OutboxOperations.Entry(
        0, OutboxOperations.State.DEAD, "m-1", "orders", "k", "placed", 4, 2, AT, "no subject");
  }

  private static InboxOperations.Status inbox(boolean whole) {
    return new InboxOperations.Status(
        List.of(
            new InboxOperations.ConsumerStatus(
                "ledger",
                7,
                whole ? Optional.of(AT) : Optional.empty(),
                1,
                2,
                3,
                4,
                whole ? SOON : Optional.empty())),
        4096);
  }

  private static InboxOperations.Entry stored() {
    return new InboxOperations.Entry(
        InboxOperations.State.PENDING, "m-1", "orders", "k", "placed", 4, 2, AT, "no stock");
  }

  private static Message message() {
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    return new Message("m-1", "orders", "k", "placed", payload, Map.of("trace", "t"));
  }

  private static JobOperations.Entry job(boolean whole) {
    return new JobOperations.Entry(
        KEY,
        "j-1",
        JobState.FAILED,
        JobPriority.NORMAL,
        4,
        2,
        AT,
        AT,
        whole ? Optional.of(AT) : Optional.empty(),
        whole ? Optional.of(AT) : Optional.empty(),
        whole ? "no\n at Here" : "");
  }

  private static Job payload() {
    return Job.of(KEY, "{}").withFingerprint(Fingerprint.of("10"));
  }

  private static JobOperations.Counts counts(Optional<Duration> oldest) {
    return new JobOperations.Counts(1, 2, 3, 4, 5, 6, oldest);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void documentsAreAsTheyAreDescribed(Sample sample) {
    assertThat(sample.schema().differences(sample.whole())).isEmpty();
    assertThat(sample.schema().differences(sample.least())).isEmpty();
  }

  /** Readers would rely on a member that is described and never written. */
  @ParameterizedTest
  @MethodSource("samples")
  void everyMemberThatIsDescribedIsWritten(Sample sample) {
    assertThat(always(sample.schema()).differences(sample.whole())).isEmpty();
  }

  private static DocumentSchema always(DocumentSchema schema) {
    return new DocumentSchema(
        schema.name(),
        schema.members().stream()
            .filter(
                member -> !(schema.equals(EventDocument.SCHEMA) && member.name().equals("erased")))
            .map(
                member ->
                    new Member(
                        member.name(),
                        member.kind(),
                        Presence.ALWAYS,
                        member.of().map(DocumentSchemaTest::always)))
            .toList(),
        schema.more());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyMemberIsReadAgain(Sample sample) {
    assertThat(sample.again().apply(sample.whole()).build()).isEqualTo(sample.whole());
    assertThat(sample.again().apply(sample.least()).build()).isEqualTo(sample.least());
  }

  @Test
  void whatDiffersIsFound() {
    DocumentSchema schema =
        DocumentSchema.of(
            "Thing",
            DocumentSchema.integer("count"),
            DocumentSchema.time("at").optional(),
            DocumentSchema.objects("parts", DocumentSchema.of("Part", DocumentSchema.text("id"))));
    assertThat(schema.differences(Json.parse("{\"count\":1,\"parts\":[{\"id\":\"a\"}]}")))
        .isEmpty();
    assertThat(schema.differences(Json.parse("{\"count\":1.5,\"at\":\"now\",\"parts\":[{}]}")))
        .containsExactly(
            "Thing.count is no INTEGER", "Thing.at is no TIME", "Thing.parts.id is missing");
    assertThat(schema.differences(Json.parse("{\"count\":null,\"parts\":1,\"more\":1}")))
        .containsExactly(
            "Thing.count is no INTEGER",
            "Thing.parts is no OBJECTS",
            "Thing.more is not described");
    assertThat(schema.differences(Json.parse("[]"))).containsExactly("Thing is no object");
  }

  @Test
  void membersAreInSnakeCase() {
    assertThatThrownBy(() -> DocumentSchema.text("contentType"))
        .isInstanceOf(IllegalArgumentException.class);
    DocumentSchema open = DocumentSchema.of("Open").withMore();
    assertThat(open.differences(Json.parse("{\"took_ms\":1}"))).isEmpty();
    assertThat(open.differences(Json.parse("{\"tookMs\":1}")))
        .containsExactly("Open.tookMs is not described");
  }
}
