package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.advice.Advice;
import dev.semel.advice.Counsel;
import dev.semel.advice.Demand;
import dev.semel.alert.Alert;
import dev.semel.alert.AlertLook;
import dev.semel.alert.AlertSettings;
import dev.semel.event.EventLine;
import dev.semel.event.EventStore;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.Setting;
import dev.semel.idempotency.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The control center in the process that opened the estate. It keeps nothing of its own. */
final class EstateCenter implements ControlCenter {
  private final Estate estate;
  private final Store store;
  private final String actor;
  private final Admin admin;
  private final KeySearch search;

  EstateCenter(Estate estate, String actor) {
    this.estate = estate;
    this.store = estate.store();
    this.actor = actor;
    this.admin = new Admin(store, actor);
    this.search = new KeySearch(store.catalog());
  }

  @Override
  public Stats stats() {
    return Stats.of(store.describe(), store.now(), admin.overview(), admin.trend(Stats.STEP));
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
  public Admin.Release release(Key key, Token token) {
    return admin.release(key, token);
  }

  @Override
  public Admin.Release forceRelease(Key key) {
    return admin.forceRelease(key);
  }

  @Override
  public boolean delete(Key key) {
    return admin.delete(key);
  }

  @Override
  public long delete(KeyFilter filter, long expected) {
    long count = search.count(filter);
    Conflict.check(count, expected);
    long deleted = search.delete(filter);
    new Trail(store, actor).add("delete %d keys".formatted(deleted), filter.toString()).write();
    return deleted;
  }

  @Override
  public List<QueueRecord> queues() {
    return Queues.of(admin);
  }

  @Override
  public Admin.VersionedSettings change(Operation operation, Map<Setting, String> changes) {
    return admin.change(operation, changes);
  }

  @Override
  public Optional<OutboxDesk> outbox() {
    return estate.outbox().map(operations -> new TracedOutbox(operations, store, actor));
  }

  @Override
  public Optional<InboxDesk> inbox() {
    return estate.inbox().map(operations -> new TracedInbox(operations, store, actor));
  }

  @Override
  public Optional<JobDesk> jobs() {
    return estate.jobs().isEmpty()
        ? Optional.empty()
        : Optional.of(new JobAdmin(store, estate.jobs(), actor));
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
    Conflict.checkAtLeast(admin.ended(), expected);
    long removed = admin.cleanup(expected, progress);
    new Trail(store, actor).add("clean up %d records".formatted(removed), "").write();
    return removed;
  }

  @Override
  public Health health() {
    List<Health.Part> parts = new ArrayList<>();
    parts.add(
        part(
            "store",
            store.describe(),
            () -> {
              store.now();
              return store.hazards();
            }));
    estate
        .jobs()
        .forEach(queue -> parts.add(part("jobs", queue.describe(), () -> asked(queue::now))));
    estate.outbox().ifPresent(box -> parts.add(part("outbox", "", () -> asked(box::status))));
    estate.inbox().ifPresent(box -> parts.add(part("inbox", "", box::diagnose)));
    return new Health(parts);
  }

  private static List<String> asked(Supplier<?> question) {
    Object unused = question.get();
    return List.of();
  }

  private static Health.Part part(String name, String where, Supplier<List<String>> question) {
    try {
      List<String> hazards = question.get();
      Health.Level level = hazards.isEmpty() ? Health.Level.OK : Health.Level.WARNING;
      return new Health.Part(name, where, level, hazards);
    } catch (StoreException e) {
      // Not its message: a driver may say more in it than everyone who may ask should read.
      return new Health.Part(
          name, where, Health.Level.AWAY, List.of("it can't be reached at the moment"));
    }
  }

  @Override
  public LifeLine lifeLine(Key key) {
    return new LifeLines(store, estate.outbox(), estate.inbox(), estate.jobOperations()).of(key);
  }

  @Override
  public Counsel advice(Demand demand) {
    return new AdviceAdmin(store, actor).counsel(demand, Map.of());
  }

  @Override
  public Admin.VersionedSettings apply(Advice advice) {
    return new AdviceAdmin(store, actor).apply(advice);
  }

  @Override
  public List<Alert> alerts() {
    return estate
        .watch()
        .map(Supplier::get)
        .orElseGet(() -> AlertLook.at(estate.sources(), AlertSettings.defaults()));
  }

  @Override
  public Backup backup(String name) {
    Backup made =
        estate
            .backups()
            .orElseThrow(() -> new InvalidInput("no backups are made here"))
            .apply(name);
    new Trail(store, actor).add("backup", name).write();
    return made;
  }

  /** The estate is closed by whoever opened it. */
  @Override
  public void close() {}
}
