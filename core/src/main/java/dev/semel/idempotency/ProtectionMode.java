package dev.semel.idempotency;

/** How far an operation is protected; operators set it with {@code mode}. */
public enum ProtectionMode {
  /** Duplicates get an answer and don't run. */
  ENFORCE,
  /** Duplicates are counted and reported, but run: for trying Semel on live traffic. */
  OBSERVE,
  /** Nothing is claimed or recorded; everything runs. */
  OFF
}
