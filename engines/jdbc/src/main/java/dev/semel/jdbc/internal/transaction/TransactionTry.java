package dev.semel.jdbc.internal.transaction;

import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Outcome;

/** What one transaction came to; told, and not thrown, until the transaction is over. */
sealed interface TransactionTry<T> {
  record Done<T>(Outcome<T> outcome) implements TransactionTry<T> {}

  /** Another has the key. */
  record Busy<T>(ClaimResult.InFlight answer) implements TransactionTry<T> {}

  /** Nothing was committed, or nobody knows; the caller gets this exception. */
  record Threw<T>(Exception failure) implements TransactionTry<T> {}

  /** Nothing was committed, and it is worth another try; the caller gets this after the last. */
  record Conflict<T>(Exception last) implements TransactionTry<T> {}
}
