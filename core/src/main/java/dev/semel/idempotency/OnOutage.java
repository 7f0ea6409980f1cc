package dev.semel.idempotency;

/** What happens to requests while the store does not answer. */
public enum OnOutage {
  /** Requests are refused with an error: nothing runs unprotected. */
  FAIL_CLOSED,
  /**
   * Requests run, protected only within this process, and are first written to a local journal.
   * Once the store is back, the journal is compared with it, and work that ran twice is reported;
   * it can't be undone. If the disk is lost, so is the journal.
   */
  WARN_AND_CONTINUE
}
