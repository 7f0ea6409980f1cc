package dev.semel.alert;

import dev.semel.StoreException;
import dev.semel.event.EventStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A store whose clock can't be asked while it is away; that alone shows. */
record StoreThatLeaves(Store inner, BooleanSupplier away) implements Store {
  @Override
  public Instant now() {
    if (away.getAsBoolean()) {
      throw new StoreException("away");
    }
    return inner.now();
  }

  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return inner.idempotency();
  }

  @Override
  public KeyCatalog catalog() {
    return inner.catalog();
  }

  @Override
  public StatisticsStore statistics() {
    return inner.statistics();
  }

  @Override
  public SettingsStore settings() {
    return inner.settings();
  }

  @Override
  public EventStore events() {
    return inner.events();
  }

  @Override
  public Optional<Room> room() {
    return inner.room();
  }

  @Override
  public void close() {
    inner.close();
  }
}
