package dev.semel.proof.history;

import java.time.Duration;

/**
 * Reasons about time when only the beginnings and ends of calls are known: each call took effect at
 * some moment between the two.
 *
 * @param tolerance how far the store's clock may differ from the recorders' during a lease
 */
record CallTiming(Duration tolerance) {
  /** The interval in which a call took effect. */
  record Span(long beganNanos, long endedNanos) {
    /** The interval of a record that was always there. */
    static final Span EVER = new Span(0, RecordedCall.NEVER);

    static Span of(RecordedCall call) {
      return new Span(call.beganNanos(), call.endedNanos());
    }

    private boolean endless() {
      return endedNanos == RecordedCall.NEVER;
    }
  }

  /** Whether the duration {@code d} from {@code from} may have ended at {@code at}. */
  boolean mayBeOver(Duration d, Span from, Span at) {
    return at.endless() || at.endedNanos - from.beganNanos >= d.toNanos() - tolerance.toNanos();
  }

  /** Whether the duration {@code d} from {@code from} may still have been running at {@code at}. */
  boolean mayBeRunning(Duration d, Span from, Span at) {
    return from.endless() || at.beganNanos - from.endedNanos < d.toNanos() + tolerance.toNanos();
  }
}
