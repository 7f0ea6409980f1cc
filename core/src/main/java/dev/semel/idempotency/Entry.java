package dev.semel.idempotency;

import dev.semel.Key;

/** A key and its record, as operators see it. */
public record Entry(Key key, Existing existing) {
  /** A holder that let its lease end without a word; what follows is the claimant's policy. */
  public boolean leaseEnded() {
    return existing.state() == State.IN_FLIGHT && !existing.leaseLeft().isPositive();
  }
}
