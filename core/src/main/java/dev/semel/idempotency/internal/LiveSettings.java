package dev.semel.idempotency.internal;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.loop.Platform;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What operators have set, as this process knows it: read when it is first asked for, then again
 * every few seconds. While the store can't be asked, what was known last goes on.
 */
public final class LiveSettings {
  private final SettingsStore store;
  private final Platform platform;
  private final Lock reading = new ReentrantLock();
  private volatile @Nullable Map<Operation, OperationSettings> known;

  public LiveSettings(SettingsStore store, Platform platform) {
    this.store = store;
    this.platform = platform;
  }

  public OperationSettings of(Operation operation) {
    Map<Operation, OperationSettings> all = known;
    return (all == null ? firstRead() : all).getOrDefault(operation, OperationSettings.NONE);
  }

  /** The claim that follows says better than this what is wrong with the store. */
  private Map<Operation, OperationSettings> firstRead() {
    platform.lock(reading);
    try {
      Map<Operation, OperationSettings> all = known;
      return all != null ? all : refresh();
    } catch (StoreException e) {
      known = Map.of();
      return Map.of();
    } finally {
      reading.unlock();
    }
  }

  /** Reads everything again. */
  public Map<Operation, OperationSettings> refresh() {
    Map<Operation, OperationSettings> all = new HashMap<>();
    store.readAll().forEach((operation, stored) -> all.put(operation, parse(stored.text())));
    Map<Operation, OperationSettings> copy = Map.copyOf(all);
    known = copy;
    return copy;
  }

  /** What a newer program wrote and this one can't read must not stop work. */
  private static OperationSettings parse(String text) {
    try {
      return OperationSettings.parse(text);
    } catch (InvalidInput e) {
      return OperationSettings.NONE;
    }
  }
}
