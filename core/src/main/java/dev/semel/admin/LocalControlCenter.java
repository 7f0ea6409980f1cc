package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.admin.internal.AuditWriter;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.Recommendations;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertLook;
import dev.semel.alert.AlertSettings;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The control center in the process that opened the targets. It keeps no state. */
final class LocalControlCenter implements ControlCenter {
  private final AdminTargets targets;
  private final Store store;
  private final String actor;
  private final StoreAdmin admin;
  private final KeySearch search;

  LocalControlCenter(AdminTargets targets, String actor) {
    this.targets = targets;
    this.store = targets.store();
    this.actor = actor;
    this.admin = new StoreAdmin(store, actor);
    this.search = new KeySearch(store.catalog());
  }

  @Override
  public StoreStats stats() {
    return StoreStats.of(
        store.describe(), store.now(), admin.overview(), admin.trend(StoreStats.STEP));
  }

  @Override
  public int resetStatistics() {
    int scopes = store.statistics().read().size();
    admin.resetStatistics();
    return scopes;
  }

  @Override
  public KeyPage keys(KeyFilter filter, String cursor, int limit) {
    return search.page(filter, cursor, limit);
  }

  @Override
  public long count(KeyFilter filter) {
    return search.count(filter);
  }

  @Override
  public Optional<KeyRecord> inspect(Key key) {
    return admin.inspect(key).map(KeyRecord::of);
  }

  @Override
  public Optional<Payload> payload(Key key) {
    return admin.inspect(key).map(entry -> entry.existing().payload());
  }

  @Override
  public Optional<Token> token(Key key) {
    return admin.inspect(key).map(entry -> entry.existing().token());
  }

  @Override
  public StoreAdmin.Release release(Key key, Token token) {
    return admin.release(key, token);
  }

  @Override
  public StoreAdmin.Release forceRelease(Key key) {
    return admin.forceRelease(key);
  }

  @Override
  public boolean delete(Key key) {
    return admin.delete(key);
  }

  @Override
  public long delete(KeyFilter filter, long expected) {
    long count = search.count(filter);
    EditConflict.check(count, expected);
    long deleted = search.delete(filter);
    new AuditWriter(store, actor)
        .add("delete %d keys".formatted(deleted), filter.toString())
        .write();
    return deleted;
  }

  @Override
  public List<OperationRecord> queues() {
    return OperationSummaries.of(admin);
  }

  @Override
  public StoreAdmin.VersionedSettings change(
      Operation operation, Map<OperationSetting, String> changes) {
    return admin.change(operation, changes);
  }

  @Override
  public Optional<OutboxAdmin> outbox() {
    return targets.outbox().map(operations -> new AuditedOutboxAdmin(operations, store, actor));
  }

  @Override
  public Optional<InboxAdmin> inbox() {
    return targets.inbox().map(operations -> new AuditedInboxAdmin(operations, store, actor));
  }

  @Override
  public Optional<QueueAdmin> jobs() {
    return targets.jobs().isEmpty()
        ? Optional.empty()
        : Optional.of(new JobAdmin(store, targets.jobs(), actor));
  }

  @Override
  public EventStore.Page events(String cursor, int limit) {
    checkPage(limit);
    return store.events().read(cursor, limit);
  }

  @Override
  public String end() {
    return store.events().end();
  }

  @Override
  public List<EventLine> latest(String kind, int limit) {
    checkPage(limit);
    if (kind.isEmpty()) {
      return store.events().latest(limit);
    }
    List<EventLine> matching =
        store.events().latest(EventStore.MAX_PAGE).stream()
            .filter(line -> line.kind().equals(kind))
            .toList();
    return matching.subList(Math.max(0, matching.size() - limit), matching.size());
  }

  @Override
  public List<EventLine> about(Key key, int limit) {
    checkPage(limit);
    return store.events().about(key, limit);
  }

  static void checkPage(int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new InvalidInput("a page has 1 to %d entries, not %d".formatted(MAX_PAGE, limit));
    }
  }

  @Override
  public Verified verify(LongConsumer progress) {
    return new Verified(admin.verify(progress), store.events().chains());
  }

  @Override
  public int erase(Key key) {
    return admin.erase(key);
  }

  @Override
  public long ended() {
    return admin.ended();
  }

  @Override
  public long cleanup(long expected, LongConsumer progress) {
    EditConflict.checkAtLeast(admin.ended(), expected);
    long removed = admin.cleanup(expected, progress);
    new AuditWriter(store, actor).add("clean up %d records".formatted(removed), "").write();
    return removed;
  }

  @Override
  public HealthReport health() {
    List<HealthReport.Part> parts = new ArrayList<>();
    parts.add(
        part(
            "store",
            store.describe(),
            () -> {
              store.now();
              return store.hazards();
            }));
    targets
        .jobs()
        .forEach(queue -> parts.add(part("jobs", queue.describe(), () -> asked(queue::now))));
    targets.outbox().ifPresent(box -> parts.add(part("outbox", "", () -> asked(box::status))));
    targets.inbox().ifPresent(box -> parts.add(part("inbox", "", box::diagnose)));
    return new HealthReport(parts);
  }

  private static List<String> asked(Supplier<?> question) {
    Object unused = question.get();
    return List.of();
  }

  private static HealthReport.Part part(
      String name, String where, Supplier<List<String>> question) {
    try {
      List<String> hazards = question.get();
      HealthReport.Level level =
          hazards.isEmpty() ? HealthReport.Level.OK : HealthReport.Level.WARNING;
      return new HealthReport.Part(name, where, level, hazards);
    } catch (StoreException e) {
      // Not the exception's message: a driver may put details into it that not every reader of this
      // report should see.
      return new HealthReport.Part(
          name, where, HealthReport.Level.AWAY, List.of("it can't be reached at the moment"));
    }
  }

  @Override
  public KeyTimeline lifeLine(Key key) {
    return new KeyTimelines(store, targets.outbox(), targets.inbox(), targets.jobOperations())
        .of(key);
  }

  @Override
  public Recommendations advice(AdviceCriteria demand) {
    return new AdviceAdmin(store, actor).counsel(demand, Map.of());
  }

  @Override
  public StoreAdmin.VersionedSettings apply(Advice advice) {
    return new AdviceAdmin(store, actor).apply(advice);
  }

  @Override
  public List<Alert> alerts() {
    return targets
        .watch()
        .map(Supplier::get)
        .orElseGet(() -> AlertLook.at(targets.sources(), AlertSettings.defaults()));
  }

  @Override
  public Backup backup(String name) {
    Backup made =
        targets
            .backups()
            .orElseThrow(() -> new InvalidInput("no backups are made here"))
            .apply(name);
    new AuditWriter(store, actor).add("backup", name).write();
    return made;
  }

  /** Does nothing: the code that opened the targets closes them. */
  @Override
  public void close() {}
}
