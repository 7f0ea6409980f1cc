package dev.semel.proof.history;

import dev.semel.idempotency.spi.IdempotencyStore;

/** Stores that lack one thing each, to see that the checkers miss it. */
public enum Mutant {
  /** Renewals, completions and releases no longer compare the token. */
  NO_FENCING,
  /** A claim looks, then writes: who lost the race is granted the key too. */
  NO_ATOMIC_CLAIM,
  /** A renewal says yes and does nothing. */
  NO_RENEWAL,
  /** The lease is the record's only time: when it ends, the record is gone. */
  NO_LEASE_FIELD;

  public IdempotencyStore around(IdempotencyStore store) {
    return around(store, Thread::yield);
  }

  /**
   * A store that lacks it.
   *
   * @param between called where a step is torn in two, for others to come in between
   */
  public IdempotencyStore around(IdempotencyStore store, Runnable between) {
    return new MutatedStore(store, this, between);
  }
}
