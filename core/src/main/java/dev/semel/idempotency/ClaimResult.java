package dev.semel.idempotency;

import dev.semel.FirstExecution;
import dev.semel.Token;
import java.time.Duration;

/** A store's answer to a claim, decided in one atomic step. */
public sealed interface ClaimResult {
  /**
   * The caller holds the key and must run. {@code takenOver} says that an earlier holder's lease
   * ended without a word, so the effect may have happened before.
   */
  record Granted(Token token, int attempt, boolean takenOver) implements ClaimResult {}

  /** It was done; this is the first response. */
  record Replay(Payload response, FirstExecution original) implements ClaimResult {}

  /** It failed for good; this is the first failure. */
  record Failed(StoredFailure failure, FirstExecution original) implements ClaimResult {}

  /** Someone else holds it for at least this long, unless it ends sooner. */
  record InFlight(Duration left, FirstExecution original) implements ClaimResult {}

  /** The key was used for another request. */
  record Mismatch(Fingerprint stored, FirstExecution original) implements ClaimResult {}

  /** Its holder's lease ended without a word: whether the effect happened is unknown. */
  record InDoubt(FirstExecution original) implements ClaimResult {}
}
