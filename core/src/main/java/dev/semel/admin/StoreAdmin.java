package dev.semel.admin;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.admin.internal.AuditWriter;
import dev.semel.event.EventAudit;
import dev.semel.event.spi.EventSink;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Everything that an operator sees and does in one store. Safe for use by many threads. */
public final class StoreAdmin {
  /** How many records one step of a clean-up removes, so that it never holds a lock for long. */
  public static final int CLEANUP_BATCH = 1000;

  /** How often a change of settings is tried again because another change came in between. */
  private static final int MAX_TRIES = 10;

  private final Store store;
  private final String actor;

  /**
   * Works on this store.
   *
   * @param actor the operator's name; kept with every change
   */
  public StoreAdmin(Store store, String actor) {
    this.store = store;
    this.actor = actor;
  }

  /** The result of releasing a key. */
  public enum Release {
    RELEASED,
    /** There is no such key. */
    NOT_FOUND,
    /** The token given does not hold the key. */
    NOT_HELD
  }

  /** All counts, and the usage of the store. */
  public record Overview(
      Map<StatisticsStore.Scope, DecisionCounts> counts, KeyCatalog.Usage usage) {
    public Overview {
      counts = Map.copyOf(counts);
    }

    public DecisionCounts total() {
      return counts.values().stream().reduce(DecisionCounts.ZERO, DecisionCounts::plus);
    }
  }

  public Optional<KeyEntry> inspect(Key key) {
    return store.idempotency().find(key).map(existing -> new KeyEntry(key, existing));
  }

  /** Releases a key as its holder: only with the holder's token. */
  public Release release(Key key, Token token) {
    if (store.idempotency().find(key).isEmpty()) {
      return Release.NOT_FOUND;
    }
    if (!store.idempotency().release(key, token)) {
      return Release.NOT_HELD;
    }
    wrote("release key", key.text());
    return Release.RELEASED;
  }

  /** Releases a key as an operator: whatever its state, the next claim runs. */
  public Release forceRelease(Key key) {
    if (!store.catalog().forceRelease(key)) {
      return Release.NOT_FOUND;
    }
    wrote("force release key", key.text());
    return Release.RELEASED;
  }

  public boolean delete(Key key) {
    boolean deleted = store.catalog().delete(key);
    if (deleted) {
      wrote("delete key", key.text());
    }
    return deleted;
  }

  public Overview overview() {
    return new Overview(counts(), store.catalog().usage());
  }

  /** The totals since the last reset. */
  public Map<StatisticsStore.Scope, DecisionCounts> counts() {
    return store.statistics().read();
  }

  public void resetStatistics() {
    store.statistics().reset();
    wrote("reset statistics", "");
  }

  /** The counts of the last day, in slices; see {@link StatisticsStore#trend}. */
  public List<StatisticsStore.Slice> trend(Duration step) {
    return store.statistics().trend(step);
  }

  /** One operation's settings, and how often they were changed. */
  public record VersionedSettings(long version, OperationSettings settings) {
    static final VersionedSettings NONE = new VersionedSettings(0, OperationSettings.NONE);
  }

  /** The settings of all operations that have any. */
  public Map<Operation, VersionedSettings> settings() {
    Map<Operation, VersionedSettings> all = new HashMap<>();
    store
        .settings()
        .readAll()
        .forEach(
            (operation, stored) ->
                all.put(
                    operation,
                    new VersionedSettings(
                        stored.version(), OperationSettings.parse(stored.text()))));
    return all;
  }

  /**
   * Changes some settings of an operation; all processes apply them within seconds.
   *
   * @param changes an empty text removes a setting
   * @throws dev.semel.InvalidInput a value is not valid; nothing was changed
   */
  public VersionedSettings change(Operation operation, Map<OperationSetting, String> changes) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      VersionedSettings seen = settings().getOrDefault(operation, VersionedSettings.NONE);
      OperationSettings next = seen.settings().with(changes, store.now());
      if (store.settings().write(operation, seen.version(), next.text())) {
        wrote("change settings to " + next.text(), operation.name());
        return new VersionedSettings(seen.version() + 1, next);
      }
    }
    throw new StoreException(
        "the settings of %s were changed by others %d times in between: try again"
            .formatted(operation, MAX_TRIES));
  }

  /** The event log; see {@link EventStore} for how to continue reading. */
  public EventStore events() {
    return store.events();
  }

  /** See {@link EventAudit#verify}. */
  public EventAudit.Report verify(LongConsumer progress) {
    return EventAudit.verify(store.events(), progress);
  }

  /** Erases the key's id from the event log. Returns the number of erased lines. */
  public int erase(Key key) {
    int lines = store.events().erase(key);
    // Not the id: it was to be erased.
    wrote("erase %d lines".formatted(lines), key.tenant() + "/" + key.operation());
    return lines;
  }

  /** Writes the change into the event log. The change was made before, and stays if this fails. */
  private void wrote(String action, String target) {
    new AuditWriter(store, actor).add(action, target).write();
  }

  /** How many records there are whose retention ended, without a limit. */
  public long ended() {
    return store.catalog().ended(Integer.MAX_VALUE);
  }

  /**
   * Removes records whose retention ended, and events that are too old or too many, in bounded
   * steps.
   *
   * @param most how many records are removed at most
   * @param progress receives the number of records removed so far
   */
  public long cleanup(long most, LongConsumer progress) {
    long removed = 0;
    while (removed < most) {
      int step = (int) Math.min(CLEANUP_BATCH, most - removed);
      int gone = store.catalog().purge(step);
      removed += gone;
      progress.accept(removed);
      if (gone < step) {
        break;
      }
    }
    int events;
    do {
      events = store.events().trim(EventSink.RETENTION, EventSink.MAX_LINES, CLEANUP_BATCH);
    } while (events == CLEANUP_BATCH);
    return removed;
  }
}
