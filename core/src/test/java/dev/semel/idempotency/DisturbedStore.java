package dev.semel.idempotency;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.EventStore;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A store before a store; tests override the call they want to disturb. */
public class DisturbedStore implements Store, IdempotencyStore {
  private final Store store;

  public DisturbedStore(Store store) {
    this.store = store;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return store.idempotency().claim(request);
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return store.idempotency().renew(key, token, lease);
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return store.idempotency().complete(key, token, ending, retention);
  }

  @Override
  public boolean release(Key key, Token token) {
    return store.idempotency().release(key, token);
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    return store.idempotency().find(key);
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public IdempotencyStore idempotency() {
    return this;
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
  public Instant now() {
    return store.now();
  }

  @Override
  public void close() {
    store.close();
  }
}
