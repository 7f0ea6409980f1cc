package dev.semel.jdbc.internal.transaction;

import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Outcome;

/** The result of one transaction; turned into an exception only after the transaction. */
sealed interface TransactionTry<T> {
  record Done<T>(Outcome<T> outcome) implements TransactionTry<T> {}

  /** Another transaction has the key. */
  record Busy<T>(ClaimResult.InFlight answer) implements TransactionTry<T> {}

  /** Nothing was committed, or that is in doubt; the caller gets this exception. */
  record Threw<T>(Exception failure) implements TransactionTry<T> {}

  /** Nothing was committed, and a retry may succeed; the caller gets this after the last one. */
  record Conflict<T>(Exception last) implements TransactionTry<T> {}
}
