package dev.semel.admin.remote;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Token;
import dev.semel.admin.Backup;
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
import dev.semel.admin.document.AdviceDocument;
import dev.semel.admin.document.AlertDocument;
import dev.semel.admin.document.AuditDocument;
import dev.semel.admin.document.BackupDocument;
import dev.semel.admin.document.EventDocument;
import dev.semel.admin.document.HealthDocument;
import dev.semel.admin.document.KeyDocument;
import dev.semel.admin.document.KeyTimelineDocument;
import dev.semel.admin.document.MemberReader;
import dev.semel.admin.document.OperationDocument;
import dev.semel.admin.document.StatsDocument;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.event.EventLine;
import dev.semel.event.EventStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.Payload;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.net.internal.ServerUrl;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * The control center of a server. Nothing is sent twice: a change whose answer was lost may have
 * been made. Safe for many threads.
 */
public final class RemoteControlCenter implements ControlCenter {
  private static final JsonObject NOTHING = Json.object().build();

  private final AdminApiClient calls;

  /**
   * Sends nothing yet.
   *
   * @param server scheme, host and port, such as {@code http://127.0.0.1:4437}
   * @param token shown to the server with every call; empty: none
   */
  public RemoteControlCenter(URI server, String token) {
    this.calls = new AdminApiClient(server, token, Optional.empty());
  }

  /**
   * Sends nothing yet.
   *
   * @param trust which certificates of a server with {@code https} are believed
   */
  public RemoteControlCenter(URI server, String token, SSLContext trust) {
    this.calls = new AdminApiClient(server, token, Optional.of(trust));
  }

  @Override
  public StoreStats stats() {
    return StatsDocument.read(calls.get(AdminQuery.at("stats")));
  }

  @Override
  public int resetStatistics() {
    long scopes =
        MemberReader.of(
                calls.post(
                    AdminQuery.at("stats/reset"), Json.object().with("dry_run", true).build()))
            .number("count");
    return MemberReader.of(
            calls.post(AdminQuery.at("stats/reset"), Json.object().with("expect", scopes).build()))
        .integer("reset");
  }

  @Override
  public KeyPage keys(KeyFilter filter, String cursor, int limit) {
    return KeyDocument.readPage(
        calls.get(chosen(filter).with("cursor", cursor).with("limit", limit)));
  }

  private static AdminQuery chosen(KeyFilter filter) {
    return AdminQuery.at("keys")
        .with("prefix", filter.prefix())
        .with("text", filter.text())
        .with(
            "state",
            filter.states().stream().map(KeyState::word).sorted().collect(Collectors.joining(",")));
  }

  @Override
  public long count(KeyFilter filter) {
    return MemberReader.of(calls.delete(chosen(filter).with("dry_run", "true"))).number("count");
  }

  private static AdminQuery one(Key key) {
    return one(key, "");
  }

  private static AdminQuery one(Key key, String behind) {
    return AdminQuery.at("keys/" + ServerUrl.encode(key.text()) + behind);
  }

  @Override
  public Optional<KeyRecord> inspect(Key key) {
    return AdminApiClient.found(() -> KeyDocument.read(calls.get(one(key))));
  }

  @Override
  public Optional<Payload> payload(Key key) {
    return AdminApiClient.found(
        () -> {
          MemberReader from = MemberReader.of(calls.get(one(key, "/payload")));
          return new Payload(from.text("type"), from.bytes("base64"));
        });
  }

  @Override
  public Optional<Token> token(Key key) {
    throw new InvalidInput("a server shows no tokens: open the store itself with --store");
  }

  @Override
  public StoreAdmin.Release release(Key key, Token token) {
    try {
      return released(key, Json.object().with("token", token.text()).build());
    } catch (EditConflict e) {
      return StoreAdmin.Release.NOT_HELD;
    }
  }

  @Override
  public StoreAdmin.Release forceRelease(Key key) {
    return released(key, NOTHING);
  }

  private StoreAdmin.Release released(Key key, JsonObject with) {
    return AdminApiClient.found(() -> calls.post(one(key, "/release"), with))
        .map(done -> StoreAdmin.Release.RELEASED)
        .orElse(StoreAdmin.Release.NOT_FOUND);
  }

  @Override
  public boolean delete(Key key) {
    return AdminApiClient.found(() -> calls.delete(one(key))).isPresent();
  }

  @Override
  public long delete(KeyFilter filter, long expected) {
    return MemberReader.of(calls.delete(chosen(filter).with("expect", expected))).number("deleted");
  }

  @Override
  public List<OperationRecord> queues() {
    return OperationDocument.readAll(calls.get(AdminQuery.at("queues")));
  }

  @Override
  public StoreAdmin.VersionedSettings change(
      Operation operation, Map<OperationSetting, String> changes) {
    JsonObjectBuilder settings = Json.object();
    changes.forEach((setting, text) -> settings.with(setting.text(), text));
    return OperationDocument.readSettings(
        calls.put(
            AdminQuery.at("queues/" + operation.name()),
            Json.object().with("settings", settings.build()).build()));
  }

  /** How the server was set up. */
  public JsonValue config() {
    return calls.get(AdminQuery.at("config"));
  }

  /** What bearers of tokens use of their quotas. */
  public JsonValue quotas() {
    return calls.get(AdminQuery.at("quotas"));
  }

  /** What the server has beside its store. */
  private boolean has(String part) {
    return MemberReader.of(calls.get(AdminQuery.at("config"))).texts("parts").contains(part);
  }

  @Override
  public Optional<OutboxAdmin> outbox() {
    return has("outbox") ? Optional.of(new RemoteOutbox(calls)) : Optional.empty();
  }

  @Override
  public Optional<InboxAdmin> inbox() {
    return has("inbox") ? Optional.of(new RemoteInbox(calls)) : Optional.empty();
  }

  @Override
  public Optional<QueueAdmin> jobs() {
    return has("jobs") ? Optional.of(new RemoteJobs(calls)) : Optional.empty();
  }

  @Override
  public EventStore.Page events(String cursor, int limit) {
    return EventDocument.readPage(
        calls.get(
            AdminQuery.at("audit")
                .with("after", cursor.isEmpty() ? "start" : cursor)
                .with("limit", limit)));
  }

  @Override
  public String end() {
    return MemberReader.of(calls.get(AdminQuery.at("audit/end"))).text("next");
  }

  @Override
  public List<EventLine> latest(String kind, int limit) {
    return EventDocument.readAll(
        calls.get(AdminQuery.at("audit").with("kind", kind).with("limit", limit)));
  }

  @Override
  public List<EventLine> about(Key key, int limit) {
    return EventDocument.readAll(calls.get(one(key, "/events").with("limit", limit)));
  }

  @Override
  public Verified verify(LongConsumer progress) {
    return AuditDocument.read(calls.get(AdminQuery.at("audit/verify")));
  }

  @Override
  public int erase(Key key) {
    return MemberReader.of(
            calls.post(AdminQuery.at("audit/erase"), Json.object().with("key", key.text()).build()))
        .integer("erased");
  }

  @Override
  public HealthReport health() {
    return HealthDocument.read(calls.get(AdminQuery.at("health")));
  }

  @Override
  public long ended() {
    return MemberReader.of(
            calls.post(AdminQuery.at("cleanup"), Json.object().with("dry_run", true).build()))
        .number("count");
  }

  @Override
  public long cleanup(long expected, LongConsumer progress) {
    return MemberReader.of(
            calls.post(AdminQuery.at("cleanup"), Json.object().with("expect", expected).build()))
        .number("removed");
  }

  @Override
  public Backup backup(String name) {
    return BackupDocument.read(
        calls.post(AdminQuery.at("backups"), Json.object().with("name", name).build()));
  }

  @Override
  public KeyTimeline lifeLine(Key key) {
    return KeyTimelineDocument.read(calls.get(one(key, "/life-line")));
  }

  @Override
  public Recommendations advice(AdviceCriteria demand) {
    return AdviceDocument.read(
        calls.get(AdminQuery.at("advice").with("percent", demand.percent().toPlainString())));
  }

  /** As it was read: the server does not ask itself again. */
  @Override
  public StoreAdmin.VersionedSettings apply(Advice advice) {
    return OperationDocument.readSettings(
        calls.post(AdminQuery.at("advice/apply"), AdviceDocument.change(advice)));
  }

  @Override
  public List<Alert> alerts() {
    return AlertDocument.read(calls.get(AdminQuery.at("alerts")));
  }

  @Override
  public void close() {
    calls.close();
  }
}
