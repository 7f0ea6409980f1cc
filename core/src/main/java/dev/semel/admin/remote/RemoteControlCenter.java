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
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.AdviceDocument;
import dev.semel.admin.document.internal.AlertDocument;
import dev.semel.admin.document.internal.AuditDocument;
import dev.semel.admin.document.internal.BackupDocument;
import dev.semel.admin.document.internal.EventDocument;
import dev.semel.admin.document.internal.HealthDocument;
import dev.semel.admin.document.internal.KeyDocument;
import dev.semel.admin.document.internal.KeyTimelineDocument;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.admin.document.internal.OperationDocument;
import dev.semel.admin.document.internal.StatsDocument;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.Payload;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * The control center of a server, over its admin API. Sends nothing twice: a change whose answer
 * was lost may have been made. Safe for use by many threads.
 */
public final class RemoteControlCenter implements ControlCenter {
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
   * @param trust decides which certificates of a server with {@code https} are trusted
   */
  public RemoteControlCenter(URI server, String token, SSLContext trust) {
    this.calls = new AdminApiClient(server, token, Optional.of(trust));
  }

  @Override
  public StoreStats stats() {
    return StatsDocument.read(calls.ask(AdminQuery.of(AdminAction.STATS)));
  }

  @Override
  public int resetStatistics() {
    long scopes = ask(AdminQuery.of(AdminAction.STATS_RESET).dryRun()).number("count");
    return ask(AdminQuery.of(AdminAction.STATS_RESET).expecting(scopes)).integer("reset");
  }

  private MemberReader ask(AdminQuery query) {
    return MemberReader.of(calls.ask(query));
  }

  @Override
  public KeyPage keys(KeyFilter filter, String cursor, int limit) {
    return KeyDocument.readPage(
        calls.ask(
            chosen(AdminAction.KEYS_LIST, filter).with("cursor", cursor).with("limit", limit)));
  }

  private static AdminQuery chosen(AdminAction action, KeyFilter filter) {
    return AdminQuery.of(action)
        .with("prefix", filter.prefix())
        .with("text", filter.text())
        .with(
            "state",
            filter.states().stream().map(KeyState::word).sorted().collect(Collectors.joining(",")));
  }

  @Override
  public long count(KeyFilter filter) {
    return ask(chosen(AdminAction.KEYS_DELETE_MANY, filter).dryRun()).number("count");
  }

  private static AdminQuery one(AdminAction action, Key key) {
    return AdminQuery.of(action, key.text());
  }

  @Override
  public Optional<KeyRecord> inspect(Key key) {
    return AdminApiClient.found(
        () -> KeyDocument.read(calls.ask(one(AdminAction.KEYS_INSPECT, key))));
  }

  @Override
  public Optional<Payload> payload(Key key) {
    return AdminApiClient.found(
        () -> {
          MemberReader from = ask(one(AdminAction.KEYS_PAYLOAD, key));
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
      return released(one(AdminAction.KEYS_RELEASE, key).with("token", token.text()));
    } catch (EditConflict e) {
      return StoreAdmin.Release.NOT_HELD;
    }
  }

  @Override
  public StoreAdmin.Release forceRelease(Key key) {
    return released(one(AdminAction.KEYS_RELEASE, key));
  }

  private StoreAdmin.Release released(AdminQuery query) {
    return AdminApiClient.found(() -> calls.ask(query))
        .map(done -> StoreAdmin.Release.RELEASED)
        .orElse(StoreAdmin.Release.NOT_FOUND);
  }

  @Override
  public boolean delete(Key key) {
    return AdminApiClient.found(() -> calls.ask(one(AdminAction.KEYS_DELETE, key))).isPresent();
  }

  @Override
  public long delete(KeyFilter filter, long expected) {
    return ask(chosen(AdminAction.KEYS_DELETE_MANY, filter).expecting(expected)).number("deleted");
  }

  @Override
  public List<OperationRecord> queues() {
    return OperationDocument.readAll(calls.ask(AdminQuery.of(AdminAction.QUEUES_LIST)));
  }

  @Override
  public StoreAdmin.VersionedSettings change(
      Operation operation, Map<OperationSetting, String> changes) {
    JsonObjectBuilder settings = Json.object();
    changes.forEach((setting, text) -> settings.with(setting.text(), text));
    return OperationDocument.readSettings(
        calls.ask(
            AdminQuery.of(AdminAction.QUEUES_SET, operation.name())
                .with("settings", settings.build())));
  }

  /** The server's effective configuration. */
  public JsonValue config() {
    return calls.ask(AdminQuery.of(AdminAction.CONFIG_SHOW));
  }

  /** The use of quotas per token. */
  public JsonValue quotas() {
    return calls.ask(AdminQuery.of(AdminAction.QUOTAS));
  }

  /** Whether the server has this part beside its store. */
  private boolean has(String part) {
    return MemberReader.of(config()).texts("parts").contains(part);
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
        calls.ask(
            AdminQuery.of(AdminAction.AUDIT_LIST)
                .with("after", cursor.isEmpty() ? "start" : cursor)
                .with("limit", limit)));
  }

  @Override
  public String end() {
    return ask(AdminQuery.of(AdminAction.AUDIT_END)).text("next");
  }

  @Override
  public List<EventLine> latest(String kind, int limit) {
    return EventDocument.readAll(
        calls.ask(AdminQuery.of(AdminAction.AUDIT_LIST).with("kind", kind).with("limit", limit)));
  }

  @Override
  public List<EventLine> about(Key key, int limit) {
    return EventDocument.readAll(calls.ask(one(AdminAction.KEYS_EVENTS, key).with("limit", limit)));
  }

  @Override
  public Verified verify(LongConsumer progress) {
    return AuditDocument.read(calls.ask(AdminQuery.of(AdminAction.AUDIT_VERIFY)));
  }

  @Override
  public int erase(Key key) {
    return ask(AdminQuery.of(AdminAction.AUDIT_ERASE).with("key", key.text())).integer("erased");
  }

  @Override
  public HealthReport health() {
    return HealthDocument.read(calls.ask(AdminQuery.of(AdminAction.HEALTH)));
  }

  @Override
  public long ended() {
    return ask(AdminQuery.of(AdminAction.CLEANUP).dryRun()).number("count");
  }

  @Override
  public long cleanup(long expected, LongConsumer progress) {
    return ask(AdminQuery.of(AdminAction.CLEANUP).expecting(expected)).number("removed");
  }

  @Override
  public Backup backup(String name) {
    return BackupDocument.read(calls.ask(AdminQuery.of(AdminAction.BACKUP).with("name", name)));
  }

  @Override
  public KeyTimeline lifeLine(Key key) {
    return KeyTimelineDocument.read(calls.ask(one(AdminAction.KEYS_LIFE_LINE, key)));
  }

  @Override
  public Recommendations advice(AdviceCriteria demand) {
    return AdviceDocument.read(
        calls.ask(
            AdminQuery.of(AdminAction.ADVISE).with("percent", demand.percent().toPlainString())));
  }

  /** Sends the advice as it was read: the server does not compute it again. */
  @Override
  public StoreAdmin.VersionedSettings apply(Advice advice) {
    AdminQuery query = AdminQuery.of(AdminAction.ADVISE_APPLY);
    AdviceDocument.change(advice).members().forEach(query::with);
    return OperationDocument.readSettings(calls.ask(query));
  }

  @Override
  public List<Alert> alerts() {
    return AlertDocument.read(calls.ask(AdminQuery.of(AdminAction.ALERTS)));
  }

  @Override
  public void close() {
    calls.close();
  }
}
