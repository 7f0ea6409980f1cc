package dev.semel.admin;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.Entry;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;
import dev.semel.idempotency.Store;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Everything an operator does to one store. Safe for use by many threads. */
public final class Admin {
  /** How many records one step of a clean-up removes, so that it never holds a lock for long. */
  public static final int CLEANUP_BATCH = 1000;

  private final Store store;

  public Admin(Store store) {
    this.store = store;
  }

  /** What came of releasing a key. */
  public enum Release {
    RELEASED,
    /** There is no such key. */
    NOT_FOUND,
    /** The token given does not hold the key. */
    NOT_HELD
  }

  /** All counts, and what the store holds. */
  public record Overview(Map<StatisticsStore.Scope, Counts> counts, KeyCatalog.Usage usage) {
    public Overview {
      counts = Map.copyOf(counts);
    }

    public Counts total() {
      return counts.values().stream().reduce(Counts.ZERO, Counts::plus);
    }
  }

  /** See {@link KeyCatalog#list}. */
  public KeyCatalog.Page keys(String prefix, String cursor, int limit) {
    return store.catalog().list(prefix, cursor, limit);
  }

  public Optional<Entry> inspect(Key key) {
    return store.idempotency().find(key).map(existing -> new Entry(key, existing));
  }

  /** The holder's own way: only with its token. */
  public Release release(Key key, Token token) {
    if (store.idempotency().find(key).isEmpty()) {
      return Release.NOT_FOUND;
    }
    return store.idempotency().release(key, token) ? Release.RELEASED : Release.NOT_HELD;
  }

  /** The operator's way: whatever its state, the next claim runs. */
  public Release forceRelease(Key key) {
    return store.catalog().forceRelease(key) ? Release.RELEASED : Release.NOT_FOUND;
  }

  public boolean delete(Key key) {
    return store.catalog().delete(key);
  }

  public Overview overview() {
    return new Overview(store.statistics().read(), store.catalog().usage());
  }

  public void resetStatistics() {
    store.statistics().reset();
  }

  /**
   * Removes every record whose retention ended, in bounded steps.
   *
   * @param progress told the number removed so far
   */
  public long cleanup(LongConsumer progress) {
    long removed = 0;
    while (true) {
      int step = store.catalog().purge(CLEANUP_BATCH);
      removed += step;
      progress.accept(removed);
      if (step < CLEANUP_BATCH) {
        return removed;
      }
    }
  }
}
