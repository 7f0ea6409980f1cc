package dev.semel.proof.history;

import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;

/** A recorded request: a step on the store, or a whole execution. */
public sealed interface RecordedAction {
  record Claim(
      Token token,
      Fingerprint fingerprint,
      Duration lease,
      Duration retention,
      TakeoverPolicy takeover)
      implements RecordedAction {}

  record Renew(Token token, Duration lease) implements RecordedAction {}

  /** {@code value} names the payload: only equal payloads have equal values. */
  record Complete(Token token, RecordState state, String value, Duration retention)
      implements RecordedAction {}

  record Release(Token token) implements RecordedAction {}

  /** Work through the executor; its steps on the store are separate calls. */
  record Execute(TakeoverPolicy takeover) implements RecordedAction {}
}
