package dev.semel.idempotency.spi;

import dev.semel.Key;

/** A key and its record, as operators see it. */
public record KeyEntry(Key key, StoredRecord existing) {
  /** A holder that let its lease end without a word; what follows is the claimant's policy. */
  public boolean leaseEnded() {
    return existing.state() == RecordState.IN_FLIGHT && !existing.leaseLeft().isPositive();
  }
}
