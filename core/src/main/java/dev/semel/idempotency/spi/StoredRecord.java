package dev.semel.idempotency.spi;

import dev.semel.FirstExecution;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.internal.FailurePayload;
import java.time.Duration;

/**
 * A record as a claim finds it, with its times already measured on the store's clock. A record
 * whose retention ended does not exist.
 *
 * @param leaseLeft zero or less once the lease ended; meaningless unless in flight
 */
public record StoredRecord(
    RecordState state,
    Token token,
    Fingerprint fingerprint,
    Duration leaseLeft,
    Payload payload,
    FirstExecution original) {

  /** The decision about a claim: an answer, or permission to take the record over. */
  public sealed interface Decision {
    record Answer(ClaimResult claim) implements Decision {}

    /**
     * Replace the record by one with the claimant's token and this attempt, if it is still as it
     * was read: same token, same state and, when in flight, its lease still ended.
     */
    record Take(int attempt, boolean takenOver) implements Decision {}
  }

  /** This record after so much more time has passed. */
  public StoredRecord after(Duration elapsed) {
    FirstExecution later =
        new FirstExecution(
            original.requestId(),
            original.attempt(),
            original.age().plus(elapsed),
            original.retentionLeft().minus(elapsed));
    return new StoredRecord(state, token, fingerprint, leaseLeft.minus(elapsed), payload, later);
  }

  /** The whole decision table of a claim, the same for every store. */
  public Decision decide(ClaimRequest request) {
    if (state == RecordState.IN_FLIGHT && token.equals(request.token())) {
      // A repeated claim, answer lost. A takeover is not recorded, so any later attempt reports
      // one.
      return answer(new ClaimResult.Granted(token, original.attempt(), original.attempt() > 1));
    }
    if (state == RecordState.RELEASED) {
      return new Decision.Take(original.attempt() + 1, false);
    }
    if (!fingerprint.matches(request.fingerprint())) {
      return answer(new ClaimResult.Mismatch(fingerprint, original));
    }
    return switch (state) {
      case COMPLETED -> answer(new ClaimResult.Replay(payload, original));
      case FAILED -> answer(new ClaimResult.Failed(FailurePayload.read(payload), original));
      case IN_FLIGHT, RELEASED -> {
        if (leaseLeft.isPositive()) {
          yield answer(new ClaimResult.InFlight(leaseLeft, original));
        }
        yield switch (request.takeover()) {
          case IN_DOUBT -> answer(new ClaimResult.InDoubt(original));
          case RUN_AGAIN -> new Decision.Take(original.attempt() + 1, true);
        };
      }
    };
  }

  private static Decision answer(ClaimResult claim) {
    return new Decision.Answer(claim);
  }
}
