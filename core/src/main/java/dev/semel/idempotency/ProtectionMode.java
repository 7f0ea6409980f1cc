package dev.semel.idempotency;

/** How far an operation is protected. */
public enum ProtectionMode {
  /** Duplicates are answered and don't run. */
  ENFORCE,
  /**
   * Duplicates are counted and reported, and run all the same: for trying Semel on live traffic.
   */
  OBSERVE,
  /** Nothing is asked or recorded; everything runs. */
  OFF
}
