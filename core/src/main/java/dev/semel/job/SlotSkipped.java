package dev.semel.job;

import dev.semel.idempotency.internal.AlwaysFinal;

/** A slot that will never run, and why; its name and message are its record. */
final class SlotSkipped extends RuntimeException implements AlwaysFinal {
  private static final long serialVersionUID = 1L;

  SlotSkipped(String why) {
    super(why, null, false, false);
  }
}
