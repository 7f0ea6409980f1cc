package dev.semel.idempotency;

import dev.semel.InvalidInput;
import dev.semel.idempotency.internal.AlwaysFinal;
import dev.semel.idempotency.internal.ClaimTimes;
import dev.semel.idempotency.internal.NeverFinal;
import dev.semel.internal.DurationText;
import java.time.Duration;

/**
 * How one operation is executed: lease, retention, takeover, waiting and failures.
 *
 * @param lease how long a claim holds without renewal
 * @param maxHold how long a claim is renewed at most; then the worker loses the key
 * @param retention how long a record is kept, counted from its last change
 * @param takeover what happens when a lease ended without a result
 * @param waitUpTo how long a duplicate waits for the first one's result; zero: it is refused at
 *     once
 * @param onFailure which failures are kept and replayed
 * @param onOutage what happens while the store does not answer
 * @param maxResponseBytes a larger response is not kept, and duplicates get a failure that says so
 */
public record ExecutionPolicy(
    Duration lease,
    Duration maxHold,
    Duration retention,
    TakeoverPolicy takeover,
    Duration waitUpTo,
    FailurePolicy onFailure,
    OnOutage onOutage,
    int maxResponseBytes) {
  public static final int DEFAULT_MAX_RESPONSE_BYTES = 1 << 20;

  private static final ExecutionPolicy DEFAULTS =
      new ExecutionPolicy(
          Duration.ofSeconds(30),
          Duration.ofHours(1),
          Duration.ofHours(24),
          TakeoverPolicy.IN_DOUBT,
          Duration.ZERO,
          FailurePolicy.RELEASE,
          OnOutage.FAIL_CLOSED,
          DEFAULT_MAX_RESPONSE_BYTES);

  public ExecutionPolicy {
    ClaimTimes.checkLease(lease);
    ClaimTimes.checkRetention(retention, lease);
    if (maxHold.compareTo(lease) < 0) {
      throw new InvalidInput(
          "maxHold (%s) is shorter than the lease (%s)".formatted(maxHold, lease));
    }
    if (waitUpTo.isNegative()) {
      throw new InvalidInput("a wait can't be negative: " + waitUpTo);
    }
    if (maxHold.compareTo(DurationText.MAX) > 0 || waitUpTo.compareTo(DurationText.MAX) > 0) {
      throw new InvalidInput(
          "neither maxHold (%s) nor waitUpTo (%s) can be longer than %d days"
              .formatted(maxHold, waitUpTo, DurationText.MAX.toDays()));
    }
    if (maxResponseBytes < 0) {
      throw new InvalidInput("maxResponseBytes can't be negative: " + maxResponseBytes);
    }
  }

  public static ExecutionPolicy defaults() {
    return DEFAULTS;
  }

  /** Whether this failure is kept and replayed. */
  public boolean isFinal(Exception failure) {
    return !(failure instanceof NeverFinal)
        && !(failure instanceof EffectUnknown)
        && (failure instanceof AlwaysFinal || onFailure.isFinal(failure));
  }

  public ExecutionPolicy withLease(Duration lease) {
    Duration hold = maxHold.compareTo(lease) < 0 ? lease : maxHold;
    return new ExecutionPolicy(
        lease, hold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  public ExecutionPolicy withMaxHold(Duration maxHold) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  public ExecutionPolicy withRetention(Duration retention) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  public ExecutionPolicy withTakeover(TakeoverPolicy takeover) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  /** A duplicate waits this long for the first one's result before it is refused. */
  public ExecutionPolicy withWaitUpTo(Duration waitUpTo) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  public ExecutionPolicy withOnFailure(FailurePolicy onFailure) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  public ExecutionPolicy withOnOutage(OnOutage onOutage) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }

  public ExecutionPolicy withMaxResponseBytes(int maxResponseBytes) {
    return new ExecutionPolicy(
        lease, maxHold, retention, takeover, waitUpTo, onFailure, onOutage, maxResponseBytes);
  }
}
