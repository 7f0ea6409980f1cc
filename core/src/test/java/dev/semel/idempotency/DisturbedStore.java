package dev.semel.idempotency;

import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.ForwardingStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;

/** A store before a store; tests override the call they want to disturb. */
public class DisturbedStore implements ForwardingStore, ForwardingRecords {
  private final Store store;

  public DisturbedStore(Store store) {
    this.store = store;
  }

  @Override
  public final Store store() {
    return store;
  }

  @Override
  public final IdempotencyStore records() {
    return store.idempotency();
  }

  @Override
  public final IdempotencyStore idempotency() {
    return this;
  }
}
