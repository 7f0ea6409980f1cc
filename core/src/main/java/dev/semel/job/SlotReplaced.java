package dev.semel.job;

import dev.semel.idempotency.internal.AlwaysFinal;

/** Ends a slot that ran until a later one took its turn; class name and message are its record. */
final class SlotReplaced extends RuntimeException implements AlwaysFinal {
  private static final long serialVersionUID = 1L;

  SlotReplaced(String why) {
    super(why, null, false, false);
  }
}
