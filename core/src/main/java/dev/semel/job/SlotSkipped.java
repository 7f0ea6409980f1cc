package dev.semel.job;

import dev.semel.idempotency.internal.AlwaysFinal;

/** Ends a slot that will never run, and says why; class name and message are its record. */
final class SlotSkipped extends RuntimeException implements AlwaysFinal {
  private static final long serialVersionUID = 1L;

  SlotSkipped(String why) {
    super(why, null, false, false);
  }
}
