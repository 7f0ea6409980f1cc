package dev.semel.proof.history;

import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import java.time.Duration;

/** What was asked for: a step on the store, or a whole execution above it. */
public sealed interface RecordedAction {
  record Claim(
      Token token,
      Fingerprint fingerprint,
      Duration lease,
      Duration retention,
      TakeoverPolicy takeover)
      implements RecordedAction {}

  record Renew(Token token, Duration lease) implements RecordedAction {}

  /** {@code value} stands for the payload: equal payloads, and only those, have equal values. */
  record Complete(Token token, RecordState state, String value, Duration retention)
      implements RecordedAction {}

  record Release(Token token) implements RecordedAction {}

  /** Work through the executor; its steps on the store are calls of their own. */
  record Execute(TakeoverPolicy takeover) implements RecordedAction {}
}
