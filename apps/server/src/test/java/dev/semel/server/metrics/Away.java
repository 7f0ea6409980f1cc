package dev.semel.server.metrics;

import dev.semel.StoreException;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Instant;

/** A store that can't be reached. */
record Away(Store inner) implements Store {
  private static StoreException away() {
    return new StoreException("away");
  }

  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    throw away();
  }

  @Override
  public KeyCatalog catalog() {
    throw away();
  }

  @Override
  public StatisticsStore statistics() {
    throw away();
  }

  @Override
  public SettingsStore settings() {
    throw away();
  }

  @Override
  public EventStore events() {
    return inner.events();
  }

  @Override
  public Instant now() {
    throw away();
  }

  @Override
  public void close() {
    inner.close();
  }
}
