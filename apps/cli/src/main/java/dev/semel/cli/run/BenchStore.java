package dev.semel.cli.run;

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
 * Sends records to the store, but keeps counts, events and settings here. So a run leaves no
 * statistics behind, and pushes no events out of the log. Does not close the store.
 */
final class BenchStore implements Store {
  private final MemoryStore beside = new MemoryStore(InstantSource.system());
  private final Store store;

  BenchStore(Store store) {
    this.store = store;
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return store.idempotency();
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
