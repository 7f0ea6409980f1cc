package dev.semel.idempotency.internal;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.idempotency.spi.SettingsStore;
import java.util.HashMap;
import java.util.Map;

/** The settings of one process, in memory. */
public final class MemorySettings implements SettingsStore {
  private final Map<Operation, Stored> stored = new HashMap<>();

  @Override
  public synchronized Map<Operation, Stored> readAll() {
    return Map.copyOf(stored);
  }

  @Override
  public synchronized boolean write(Operation operation, long seen, String text) {
    Stored last = stored.get(operation);
    if ((last == null ? 0 : last.version()) != seen) {
      return false;
    }
    if (last == null && stored.size() >= MAX_OPERATIONS) {
      throw new InvalidInput(SettingsStore.tooMany());
    }
    stored.put(operation, new Stored(seen + 1, text));
    return true;
  }
}
