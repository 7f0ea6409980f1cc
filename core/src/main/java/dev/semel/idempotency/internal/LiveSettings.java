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
 * The operators' settings, as this process knows them: read on first use, then every few seconds.
 * While the store does not answer, the last known settings stay in use.
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

  /** Ignores a failing store: the following claim reports the problem better. */
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

  /** Reads all settings again. */
  public Map<Operation, OperationSettings> refresh() {
    Map<Operation, OperationSettings> all = new HashMap<>();
    store.readAll().forEach((operation, stored) -> all.put(operation, parse(stored.text())));
    Map<Operation, OperationSettings> copy = Map.copyOf(all);
    known = copy;
    return copy;
  }

  /** Settings of a newer program that this one can't parse must not stop work. */
  private static OperationSettings parse(String text) {
    try {
      return OperationSettings.parse(text);
    } catch (InvalidInput e) {
      return OperationSettings.NONE;
    }
  }
}
