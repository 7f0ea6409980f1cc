package dev.semel.idempotency;

/** What happens to a key whose holder let its lease end without a word. */
public enum TakeoverPolicy {
  /** Nobody knows whether the effect happened, so nobody repeats it: callers are told so. */
  IN_DOUBT,
  /** The next caller takes over and runs again; for work that can bear it. Always an event. */
  RUN_AGAIN
}
