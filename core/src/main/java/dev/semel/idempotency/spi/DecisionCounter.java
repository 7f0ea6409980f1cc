package dev.semel.idempotency.spi;

import java.util.Locale;

/** The counts that are kept per tenant and operation. Stores use {@link #field()} as the name. */
public enum DecisionCounter {
  /** All requests. */
  REQUESTS,
  /** Work that was run to its end. */
  EXECUTED,
  /** Requests that met an earlier one for the same key: replayed, failed, in flight or in doubt. */
  DUPLICATES,
  /** Duplicates that got the first one's response or failure. */
  REPLAYS,
  /** Requests refused because the key belongs to another request. */
  MISMATCHES,
  /** Duplicates refused because the first one was still running. */
  IN_FLIGHT,
  /** Executions that took over from a holder whose lease had ended. */
  TAKEOVERS,
  /** Requests that got in doubt: the outcome of an earlier one is unknown. */
  IN_DOUBT,
  /** Renewals, completions and releases refused because the token no longer held the key. */
  FENCED,
  /** Work that threw, and store calls that failed. */
  ERRORS,
  /** Of those, store calls that failed. */
  STORE_ERRORS,
  /** Work that ran without protection: switched off, only observed, or the store was away. */
  UNGUARDED,
  /** Executions that ended after their record's retention had. */
  OUTLIVED,
  /** Executions that another caller had run too, as reconciliation found out later. */
  RAN_TWICE,
  /** Requests whose short content hash was another request's; each moved to another key. */
  COLLISIONS;

  public String field() {
    return name().toLowerCase(Locale.ROOT);
  }
}
