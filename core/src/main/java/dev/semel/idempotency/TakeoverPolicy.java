package dev.semel.idempotency;

/** What happens to a key whose lease ended without a result. */
public enum TakeoverPolicy {
  /** Nobody can know whether the effect happened, so nobody repeats it: callers get in doubt. */
  IN_DOUBT,
  /**
   * The next caller takes over and runs again; for work that is safe to repeat. Always an event.
   */
  RUN_AGAIN
}
