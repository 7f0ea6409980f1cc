package dev.semel.job;

/** What becomes of a slot that is due while an earlier one of the same cron still runs. */
public enum OverlapPolicy {
  /** It is recorded as skipped: nobody runs it, now or later. */
  SKIP,
  /** It waits; slots keep their order. Where too many wait already it is skipped. */
  QUEUE,
  /** The earlier one is told to stop and can't complete any more; then this one runs. */
  REPLACE
}
