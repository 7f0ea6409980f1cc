package dev.semel.idempotency.spi;

import dev.semel.event.EventStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Forwards everything to another store, but lets an {@link IdempotencyStore} of yours stand before
 * that store's own: to record, to measure, to make calls fail. Closing it closes the other, so that
 * only the outermost has to be closed.
 */
public final class ForwardingStore implements Store {
  private final Store store;
  private final IdempotencyStore idempotency;

  public ForwardingStore(Store store, UnaryOperator<IdempotencyStore> around) {
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
