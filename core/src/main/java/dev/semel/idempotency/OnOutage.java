package dev.semel.idempotency;

/** What happens to requests while the store can't be asked. */
public enum OnOutage {
  /** They are refused with an error: nothing runs unprotected. */
  FAIL_CLOSED,
  /**
   * They run, protected only within this process, and are written to a local journal first. Once
   * the store is back the journal is held against it, and what ran twice is reported; it can't be
   * undone. A lost disk loses the journal.
   */
  WARN_AND_CONTINUE
}
