package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.spi.ClaimRequest;
import java.util.Optional;

/**
 * The answer to a claim, and when the claim was sent: the lease counts from there.
 *
 * @param nanos on the platform's clock, from before the store was asked
 * @param also the other key that was granted with it; see {@link ExecutionRequest#also}
 * @param here true: this process answered, because the store is away
 */
public record ClaimAnswer(
    ClaimRequest request, ClaimResult result, long nanos, Optional<Key> also, boolean here) {
  public static ClaimAnswer of(ClaimRequest request, ClaimResult result, long nanos) {
    return new ClaimAnswer(request, result, nanos, Optional.empty(), false);
  }

  static ClaimAnswer here(ClaimRequest request, ClaimResult result, long nanos) {
    return new ClaimAnswer(request, result, nanos, Optional.empty(), true);
  }

  /** The claim was renewed since, and its lease counts from then. */
  ClaimAnswer renewed(long nanos) {
    return new ClaimAnswer(request, result, nanos, also, here);
  }

  /** Granted together with another key. */
  ClaimAnswer with(ClaimResult.Granted both, Key other) {
    return new ClaimAnswer(request, both, nanos, Optional.of(other), here);
  }
}
