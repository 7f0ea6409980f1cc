package dev.semel.proof;

import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Uses the store under proof for records; counts, events and settings stay in this process, so that
 * a run leaves no statistics behind and pushes no events out of the log.
 */
final class ProvedStore implements Store {
  private final MemoryStore beside = new MemoryStore(InstantSource.system());
  private final Store store;
  private final IdempotencyStore records;

  /**
   * Does not close the store.
   *
   * @param records used by executions: a wrapper around the store's records
   */
  ProvedStore(Store store, IdempotencyStore records) {
    this.store = store;
    this.records = records;
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return records;
  }

  @Override
  public KeyCatalog catalog() {
    return store.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return beside.statistics();
  }

  @Override
  public SettingsStore settings() {
    return beside.settings();
  }

  @Override
  public EventStore events() {
    return beside.events();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void close() {
    beside.close();
  }
}
