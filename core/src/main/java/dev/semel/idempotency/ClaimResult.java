package dev.semel.idempotency;

import dev.semel.FirstExecution;
import dev.semel.Token;
import java.time.Duration;

/**
 * The answer of a store to a claim, decided in one atomic step. Callers of {@link Reservations}
 * switch on it.
 */
public sealed interface ClaimResult {
  /**
   * The caller holds the key and must run. {@code takenOver} says that an earlier lease ended
   * without a result, so the effect may have happened before.
   */
  record Granted(Token token, int attempt, boolean takenOver) implements ClaimResult {}

  /** The work was done before; this is its response. */
  record Replay(Payload response, FirstExecution original) implements ClaimResult {}

  /** The work failed for good before; this is its failure. */
  record Failed(StoredFailure failure, FirstExecution original) implements ClaimResult {}

  /** Another caller holds the key. {@code left} is the rest of its lease; it may finish earlier. */
  record InFlight(Duration left, FirstExecution original) implements ClaimResult {}

  /** The key was used for another request. */
  record Mismatch(Fingerprint stored, FirstExecution original) implements ClaimResult {}

  /** The holder's lease ended without a result: nobody can know whether the effect happened. */
  record InDoubt(FirstExecution original) implements ClaimResult {}
}
