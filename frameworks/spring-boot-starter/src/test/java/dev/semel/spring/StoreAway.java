package dev.semel.spring;

import dev.semel.StoreException;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Instant;
import java.time.InstantSource;

/** A store whose engine is unreachable. */
final class StoreAway implements Store {
  private final Store memory = new MemoryStore(InstantSource.system());

  @Override
  public String describe() {
    return "away";
  }

  @Override
  public IdempotencyStore idempotency() {
    return memory.idempotency();
  }

  @Override
  public KeyCatalog catalog() {
    return memory.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return memory.statistics();
  }

  @Override
  public SettingsStore settings() {
    return memory.settings();
  }

  @Override
  public EventStore events() {
    return memory.events();
  }

  @Override
  public Instant now() {
    throw new StoreException("the store is away");
  }

  @Override
  public void close() {}
}
