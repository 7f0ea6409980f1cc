package dev.semel.idempotency.spi;

import dev.semel.Key;

/** A key and its record, as operators see it. */
public record KeyEntry(Key key, StoredRecord existing) {
  /** The lease ended without a result; the claimant's policy decides what follows. */
  public boolean leaseEnded() {
    return existing.state() == RecordState.IN_FLIGHT && !existing.leaseLeft().isPositive();
  }
}
