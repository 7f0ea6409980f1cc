package dev.semel.idempotency.spi;

import dev.semel.event.spi.EventStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Forwards every call to another store, except those that you override: to record, to measure, to
 * make calls fail. Closing it closes the other, so only the outermost has to be closed.
 */
public interface ForwardingStore extends Store {
  /** The store to forward to. */
  Store store();

  /** A store whose records go through yours. */
  static Store of(Store store, UnaryOperator<IdempotencyStore> around) {
    return new StoreWithRecords(store, around.apply(store.idempotency()));
  }

  @Override
  default String describe() {
    return store().describe();
  }

  @Override
  default IdempotencyStore idempotency() {
    return store().idempotency();
  }

  @Override
  default KeyCatalog catalog() {
    return store().catalog();
  }

  @Override
  default StatisticsStore statistics() {
    return store().statistics();
  }

  @Override
  default SettingsStore settings() {
    return store().settings();
  }

  @Override
  default EventStore events() {
    return store().events();
  }

  @Override
  default Instant now() {
    return store().now();
  }

  @Override
  default Optional<Room> room() {
    return store().room();
  }

  @Override
  default List<String> hazards() {
    return store().hazards();
  }

  @Override
  default List<String> setUp() {
    return store().setUp();
  }

  @Override
  default void close() {
    store().close();
  }
}
