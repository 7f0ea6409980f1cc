package dev.semel.proof.history;

import dev.semel.event.EventStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Another store with something around its idempotency, such as a {@link RecordedStore}. Closing it
 * closes the other, so that only the outermost has to be closed.
 */
public final class StoreAround implements Store {
  private final Store store;
  private final IdempotencyStore idempotency;

  public StoreAround(Store store, UnaryOperator<IdempotencyStore> around) {
    this.store = store;
    this.idempotency = around.apply(store.idempotency());
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return idempotency;
  }

  @Override
  public KeyCatalog catalog() {
    return store.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return store.statistics();
  }

  @Override
  public SettingsStore settings() {
    return store.settings();
  }

  @Override
  public EventStore events() {
    return store.events();
  }

  @Override
  public Optional<Room> room() {
    return store.room();
  }

  @Override
  public List<String> hazards() {
    return store.hazards();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void close() {
    store.close();
  }
}
