package dev.semel.job;

/** What happens to a slot of a {@link Cron} that is due while an earlier one still runs. */
public enum OverlapPolicy {
  /** The slot is recorded as skipped: it never runs. */
  SKIP,
  /** The slot waits, in order. Where too many wait already, it is skipped. */
  QUEUE,
  /** The earlier slot is stopped and can't complete any more; then this one runs. */
  REPLACE
}
