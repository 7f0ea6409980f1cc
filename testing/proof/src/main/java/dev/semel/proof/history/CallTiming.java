package dev.semel.proof.history;

import java.time.Duration;

/**
 * What can be said about time when only the beginnings and ends of calls are known: each took
 * effect at some moment between the two.
 *
 * @param tolerance how far the store's clock may stray from the recorders' during a lease
 */
record CallTiming(Duration tolerance) {
  /** When a call took effect, as far as anyone knows. */
  record Span(long beganNanos, long endedNanos) {
    /** Of what was always there. */
    static final Span EVER = new Span(0, RecordedCall.NEVER);

    static Span of(RecordedCall call) {
      return new Span(call.beganNanos(), call.endedNanos());
    }

    private boolean endless() {
      return endedNanos == RecordedCall.NEVER;
    }
  }

  /** Whether {@code d}, running from the one, may have been over at the other. */
  boolean mayBeOver(Duration d, Span from, Span at) {
    return at.endless() || at.endedNanos - from.beganNanos >= d.toNanos() - tolerance.toNanos();
  }

  /** Whether it may still have been running. */
  boolean mayBeRunning(Duration d, Span from, Span at) {
    return from.endless() || at.beganNanos - from.endedNanos < d.toNanos() + tolerance.toNanos();
  }
}
